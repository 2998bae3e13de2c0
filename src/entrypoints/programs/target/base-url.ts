import { plainMask } from "../../../foundation/secrets/mask.ts";
import { UserError } from "../user-error.ts";

/** The base URL of a target without a slash at its end. `name` is the option in the words of the caller. */
export function checkedBaseUrl(name: string, text: string): string {
  const problem = baseUrlProblem(text);
  if (problem !== undefined) throw new UserError(`${name} ${problem}.`);
  return text.replace(/\/+$/, "");
}

/** A path of the API behind a base URL. A path such as /registry alone may be that of a proxy. */
const apiPath =
  /^(.*?)\/(?:v2\/(?:users|parties|packages|idps|version|state|commands|interactive-submission)|registry\/[\w-]+\/v\d)(?:\/.*)?$/;

/** What is wrong with a base URL, to be said after its name; one with credentials is not shown. */
export function baseUrlProblem(text: string): string | undefined {
  if (/^[\w.-]+:\d+(?:\/[\w./-]*)?$/.test(text))
    return `${text} has neither http:// nor https://: write http://${text}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return `${plainMask(text)} is not an http or https URL, such as http://127.0.0.1:7575`;
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return "contains credentials, a query or a fragment. Remove them from the base URL";
  const [, base] = apiPath.exec(text) ?? [];
  if (base !== undefined) return `${text} ends with a path of the API. Write the base URL, ${base}`;
  return undefined;
}
