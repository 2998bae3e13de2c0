import { createRedactor, type Redactor, secretLengthMin } from "../../../recordings/redaction/redactor.ts";
import { fileOf, type NamedFile } from "../files/named-file.ts";
import { WholeFile } from "../files/whole-file.ts";
import type { Environment, Flag, Options } from "../options.ts";
import { UserError } from "../user-error.ts";
import { namesText, readNames } from "./names-file.ts";

/** Flags for redaction, of every command that writes a recording. */
export const redactionFlags: readonly Flag[] = [
  {
    name: "keep-ids",
    type: "boolean",
    help: "remove tokens, cookies, signatures and keys only; keep the ids of parties, contracts and so on",
  },
  { name: "rename-users", type: "boolean", help: "pseudonymize the ids of users too" },
  {
    name: "names",
    type: "string",
    value: "FILE",
    help: "read pseudonyms from this file and write new ones to it, so that recordings share them; keep it private",
  },
  {
    name: "secret",
    type: "list",
    value: "ENVNAME",
    help: "environment variable whose value must not be written",
  },
];

/** The redactor that the flags ask for. Throws a UserError for a secret or a file of names that is none. */
export function redactorOf(options: Options, { variables }: Environment): Redactor {
  const secrets = options.texts("secret").map((name) => {
    const secret = variables[name] ?? "";
    if (secret === "")
      throw new UserError(`--secret ${name}: there is no environment variable ${name}, or it is empty.`);
    if (secret.length < secretLengthMin)
      throw new UserError(
        `--secret ${name}: its value is shorter than ${secretLengthMin} characters, and would be found everywhere.`,
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

/** Writes what became of what where only its owner may read it. */
export function writeNames(file: NamedFile, redactor: Redactor): void {
  using names = new WholeFile(file, { access: "private", isReplacing: true });
  names.write(namesText(redactor.names()));
  names.finish();
}
