import { createRedactor, type Redactor, secretLengthMin } from "../../../recordings/redaction/redactor.ts";
import type { NamedFile } from "../../programs/files/named-file.ts";
import { WholeFile } from "../../programs/files/whole-file.ts";
import { UserError } from "../../programs/user-error.ts";
import { fileOf } from "../flags/file-of.ts";
import { booleanFlag, type Environment, type Flag, inGroup, listFlag, type Options, textFlag } from "../options.ts";
import { namesText, readNames } from "./names-file.ts";

/** Redaction flags of every command that writes a recording. */
export const redactionFlags: readonly Flag[] = inGroup("Redaction", [
  booleanFlag(
    "keep-ids",
    "remove tokens, cookies, signatures and keys only; keep ids such as those of parties and contracts",
  ),
  booleanFlag("rename-users", "pseudonymize the ids of users too"),
  textFlag(
    "names",
    "FILE",
    "read pseudonyms from this file and write new ones to it, so that recordings share them; keep it private",
  ),
  listFlag("secret", "ENVNAME", "environment variable whose value must not be written"),
]);

/** The redactor that the flags describe. Throws a UserError for an invalid secret or names file. */
export function redactorOf(options: Options, { variables }: Environment): Redactor {
  const secrets = options.texts("secret").map((name) => {
    const secret = variables[name] ?? "";
    if (secret === "") throw new UserError(`--secret ${name}: the environment variable ${name} is empty or not set.`);
    if (secret.length < secretLengthMin)
      throw new UserError(
        `--secret ${name}: its value is shorter than ${secretLengthMin} characters and would match too many texts.`,
      );
    return secret;
  });
  return createRedactor({
    keepsIds: options.flag("keep-ids"),
    renamesUsers: options.flag("rename-users"),
    secrets,
    names: readNames(fileOf("names", options)),
  });
}

/** Writes originals and pseudonyms to a private file. */
export function writeNames(file: NamedFile, redactor: Redactor): void {
  using names = new WholeFile(file, { access: "private", isReplacing: true });
  names.write(namesText(redactor.names()));
  names.finish();
}
