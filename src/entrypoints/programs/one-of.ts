import { advise } from "../../foundation/text/suggestion.ts";
import { UserError } from "./user-error.ts";

/** The known name that a value equals; `name` is its option as the caller spells it. Throws a UserError that suggests the nearest one, and says where a long list is. */
export function oneOf<Name extends string>(
  name: string,
  value: string,
  known: readonly Name[],
  whereListed?: string,
): Name {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new UserError(`${name} ${value}: unknown value. ${advise(value, known, whereListed)}`);
  return found;
}
