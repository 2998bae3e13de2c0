import { advise } from "../../../foundation/text/suggestion.ts";
import { UserError } from "../user-error.ts";

/** The known name that a flag's value equals. Throws a UserError that suggests the nearest one, and says where a long list is. */
export function oneOf<Name extends string>(
  flag: string,
  value: string,
  known: readonly Name[],
  whereListed?: string,
): Name {
  const found = known.find((name) => name === value);
  if (found === undefined)
    throw new UserError(`--${flag} ${value}: unknown value. ${advise(value, known, whereListed)}`);
  return found;
}
