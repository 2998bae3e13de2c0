import { advise } from "../../../foundation/text/suggestion.ts";
import { UserError } from "../user-error.ts";

/** The known name that a flag's value equals. Throws a UserError that suggests the nearest one. */
export function oneOf<Name extends string>(flag: string, value: string, known: readonly Name[]): Name {
  const found = known.find((name) => name === value);
  if (found === undefined) throw new UserError(`--${flag} ${value}: unknown value. ${advise(value, known)}`);
  return found;
}
