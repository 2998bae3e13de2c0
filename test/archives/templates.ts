import { flag, NOTHING } from "./_fields.ts";
import { all, dottedName, each, fixedPart, name, named, type Part, typeId, within } from "./_parts.ts";
import type { Reference } from "./_tables.ts";
import { type Definition, interfaceType, recordType } from "./data-types.ts";
import { type Expression, nil, signatoriesOf, THIS, UNIT_VALUE } from "./expressions.ts";
import { ARCHIVE } from "./packages/stable.ts";
import { con, type Members, PARTY, type Type, UNIT } from "./types.ts";
import { pure } from "./updates.ts";

/** A choice. Its expressions see the contract as `this`, its id as `self`, and the argument as `arg`. */
export interface Choice {
  readonly name: string;
  /** Fields of its argument, a record of the name of the choice. */
  readonly argument?: Members;
  readonly result: Type;
  readonly isConsuming?: boolean;
  /** A list of parties. */
  readonly controllers: Expression;
  readonly observers?: Expression;
  readonly body: Expression;
}

/** An instance of an interface. Its expressions see the contract as `this`. */
export interface Instance {
  readonly face: Reference;
  readonly methods?: Readonly<Record<string, Expression>>;
  readonly view: Expression;
}

export interface Template {
  readonly name: string;
  readonly fields: Members;
  readonly ensure?: Expression;
  /** Lists of parties. */
  readonly signatories: Expression;
  readonly observers?: Expression;
  readonly choices?: readonly Choice[];
  readonly instances?: readonly Instance[];
}

const NOBODY: Expression = nil(PARTY);
const NONE: Part = fixedPart(NOTHING);

const optionalPart = (number: number, part: Part | undefined): Part => (part ? within(number, part) : NONE);

function choicePart(choice: Choice, argument: Type): Part {
  const { isConsuming = true, observers = NOBODY } = choice;
  return all(
    all(name(2, choice.name), fixedPart(flag(3, isConsuming))),
    all(within(4, choice.controllers), within(5, observers)),
    all(within(6, named("arg", argument)), within(8, choice.result), within(9, choice.body), name(10, "self")),
  );
}

/** The choice that the compiler adds to each template and interface. */
const archiveChoice = (controllers: Expression): Part =>
  choicePart({ name: "Archive", result: UNIT, controllers, body: pure(UNIT, UNIT_VALUE) }, ARCHIVE);

const choicesPart = (number: number, choices: readonly Choice[], controllers: Expression): Part =>
  all(
    within(number, archiveChoice(controllers)),
    each(number, choices, (choice) => choicePart(choice, con(choice.name))),
  );

const argumentsOf = (choices: readonly Choice[]): readonly Definition[] =>
  choices.map((choice) => recordType(choice.name, choice.argument ?? {}));

const instancePart = ({ face, methods = {}, view }: Instance): Part =>
  all(
    typeId(1, face),
    within(
      2,
      each(1, Object.entries(methods), ([method, value]) => all(name(1, method), within(2, value))),
      within(2, view),
    ),
  );

/** A template with the records of its contracts and of the arguments of its choices. */
export function template(given: Template): readonly Definition[] {
  const { choices = [], instances = [], observers = NOBODY } = given;
  const part = all(
    all(dottedName(1, given.name), name(2, "this"), optionalPart(3, given.ensure), within(4, given.signatories)),
    choicesPart(6, choices, given.signatories),
    all(within(7, observers), each(10, instances, instancePart)),
  );
  return [recordType(given.name, given.fields), ...argumentsOf(choices), [6, part]];
}

export interface Interface {
  readonly name: string;
  readonly methods?: Members;
  /** In its choices, `this` is the interface's value. */
  readonly choices?: readonly Choice[];
  readonly view: Type;
  readonly requires?: readonly Reference[];
}

/** An interface with the records of the arguments of its choices. */
export function interfaceOf(given: Interface): readonly Definition[] {
  const { methods = {}, choices = [], requires = [] } = given;
  const part = all(
    dottedName(2, given.name),
    each(3, Object.entries(methods), ([method, type]) => all(name(2, method), within(3, type))),
    name(4, "this"),
    choicesPart(5, choices, signatoriesOf(given.name, THIS)),
    within(6, given.view),
    ...requires.map((required) => typeId(7, required)),
  );
  return [interfaceType(given.name), ...argumentsOf(choices), [8, part]];
}
