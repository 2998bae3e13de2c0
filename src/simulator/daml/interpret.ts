import type { LfChoice } from "../../daml/packages/definitions.ts";
import { TypeTextError } from "../../daml/packages/type-text.ts";
import { compareVersions } from "../../daml/upgrades/compare-versions.ts";
import { ValueError } from "../../daml/values/value-error.ts";
import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import type { LedgerState, Package, Template } from "../ledger/ledger-state.ts";
import { archivedChoice, checkInterface, checkTemplate, isArchived } from "./archived.ts";
import { DamlMismatch } from "./daml-type.ts";
import {
  type Argument,
  Interpretation,
  InterpretationFailure,
  type InterpretationOptions,
  type TimeWindow,
} from "./interpretation.ts";
import { spliceChoice } from "./splice-choice.ts";
import { partiesAt, partiesOf } from "./splice-templates.ts";
import { entityOf, packageOf, unknownTemplate, wronglyTyped } from "./template-names.ts";
import { archive, type ChoiceExecution, tokenChoice, unknownChoice } from "./token-choices.ts";
import { tokenSignatories } from "./token-contracts.ts";
import { type KnownContract, type NewContract, TransactionBuilder } from "./transaction-builder.ts";

/** A command. Templates are named by package id, or by # and the package name. */
export type LedgerCommand =
  | { readonly type: "create"; readonly templateId: string; readonly argument: Argument }
  | {
      readonly type: "exercise";
      readonly templateId: string;
      readonly contractId: string;
      readonly choice: string;
      readonly argument: Argument;
    }
  | {
      readonly type: "create-and-exercise";
      readonly templateId: string;
      readonly argument: Argument;
      readonly choice: string;
      readonly choiceArgument: Argument;
    };

export type Interpreted =
  | {
      readonly type: "interpreted";
      readonly builder: TransactionBuilder;
      /** Ids, as the commands name them, of created templates that neither the fixture nor the token standard has. */
      readonly undeclared: ReadonlySet<string>;
      /** The times at which the result is the same. */
      readonly window: TimeWindow;
    }
  | {
      readonly type: "failed";
      readonly code: string;
      readonly problem: string;
      readonly resources: InterpretationFailure["resources"];
      readonly origin: InterpretationFailure["origin"];
      /** What to do, which the problem does not say. */
      readonly explanation?: string | undefined;
      /** The place in an argument that is not of its type, which the problem does not say. */
      readonly path?: string;
    };

/** Interprets commands into a transaction. The same seed and options give the same transaction. */
export function interpret(
  commands: readonly LedgerCommand[],
  options: InterpretationOptions,
  seed: string,
): Interpreted {
  const interpretation = new Interpretation(options, new TransactionBuilder(seed));
  try {
    for (const command of commands) play(command, interpretation);
    const { builder, undeclared, window } = interpretation;
    return { type: "interpreted", builder, undeclared, window };
  } catch (error) {
    if (error instanceof DamlMismatch)
      return { type: "failed", code: "INVALID_ARGUMENT", problem: `${error.message}.`, resources: [], origin: "node" };
    if (error instanceof ValueError) {
      const { code, message: problem, origin, path } = error;
      return { type: "failed", code, problem, resources: [], origin, path };
    }
    // A fixture cannot state such a type, but the state of an imported world can.
    if (error instanceof TypeTextError)
      return {
        type: "failed",
        code: "COMMAND_PREPROCESSING_FAILED",
        problem: error.message,
        resources: [],
        origin: "node",
      };
    return failedBy(error);
  }
}

/** The failure that was thrown within an interpretation. */
export function failedBy(error: unknown): Extract<Interpreted, { readonly type: "failed" }> {
  if (!(error instanceof InterpretationFailure)) throw error;
  const { code, message: problem, resources, origin, explanation } = error;
  return { type: "failed", code, problem, resources, origin, explanation };
}

function play(command: LedgerCommand, interpretation: Interpretation): void {
  const { builder } = interpretation;
  switch (command.type) {
    case "create":
      builder.create(contractOf(command, interpretation));
      return;
    case "exercise":
      exercise(interpretation.contract(command.contractId), command, interpretation);
      return;
    case "create-and-exercise": {
      const contractId = builder.create(contractOf(command, interpretation));
      exercise(interpretation.contract(contractId), { ...command, argument: command.choiceArgument }, interpretation);
    }
  }
}

type Exercising = Pick<Extract<LedgerCommand, { readonly type: "exercise" }>, "templateId" | "choice" | "argument">;

function exercise(contract: KnownContract, requested: Exercising, interpretation: Interpretation): void {
  const { choice, argument, templateId } = requested;
  const interfaceId = interfaceOf(templateId, contract, interpretation.options);
  if (choice === "Archive") {
    // Owners archive their tokens without the administrator of the registry, which a node refuses.
    const { admin } = interpretation.options.registry;
    authorize(
      contract.signatories.filter((party) => party !== admin),
      contract,
      interpretation,
    );
    archive(contract, interpretation);
    return;
  }
  const { archives } = interpretation.options;
  const typeId = interfaceId === undefined ? contract.templateId : resolvedId(interfaceId, interpretation.options);
  const typed = archivedChoice(typeId, choice, archives);
  const found =
    tokenChoice(choice, { contract, interfaceId, argument }, interpretation) ??
    spliceChoice(choice, { contract, argument }, interpretation) ??
    declaredChoice(contract, { ...requested, typed }, interpretation);
  if (found === undefined) {
    const declared = templateOf(interpretation.options.ledger, contract.templateId, contract.packageName)?.choices;
    throw unknownChoice(choice, contract.templateId, [...(declared?.keys() ?? [])]);
  }
  authorize(found.actingParties, contract, interpretation);
  // A node with a function would not equal that of a later interpretation.
  const { inside, ...execution } = found;
  interpretation.builder.exercise({ contract, interfaceId, choice, ...execution }, inside);
}

/**
 * The interface by which a choice is exercised; undefined for the template of the contract. A package that declares templates
 * declares its interfaces too, without signatories. The templates and interfaces of other packages are not known.
 */
function interfaceOf(templateId: string, contract: KnownContract, options: InterpretationOptions): string | undefined {
  if (entityOf(templateId) === entityOf(contract.templateId)) return undefined;
  const { ledger, archives } = options;
  const resolved = resolvedId(templateId, options);
  if (isArchived(resolved, archives)) {
    checkInterface(resolved, templateId, contract, archives);
    return templateId;
  }
  const packageName = packageNameOf(templateId, ledger);
  if (packageName === undefined || !declaresTemplates(packageName, ledger)) return templateId;
  const declared = templateOf(ledger, templateId, packageName);
  if (declared === undefined) throw unknownTemplate(templateId);
  if (declared.signatories.length === 0) return templateId;
  throw wronglyTyped(contract, resolved);
}

/** The id with the newest version of a named package; as it is for a package that the node does not know. */
function resolvedId(id: string, { ledger }: InterpretationOptions): string {
  return candidatesOf(packageOf(id), ledger).length === 0 ? id : resolveTemplate(id, ledger).templateId;
}

/** Checks that every acting party is a submitter. */
function authorize(acting: readonly string[], { templateId }: KnownContract, interpretation: Interpretation): void {
  const { submitters } = interpretation.options;
  if (acting.some((party) => !submitters.includes(party))) throw unauthorized(acting, templateId, interpretation);
}

/** The failure of an action that needs the authorization of these parties (Canton 3.5: source). */
function unauthorized(
  required: readonly string[],
  templateId: string,
  { builder, options }: Interpretation,
  explanation?: string,
): InterpretationFailure {
  const problem =
    required.length === 0
      ? "has no signatories"
      : `requires authorizers ${[...required].sort().join(",")}, but only ${[...options.submitters].sort().join(",")} were given`;
  return new InterpretationFailure(
    "DAML_AUTHORIZATION_ERROR",
    `Interpretation error: Error: node NodeId(${builder.nextNodeId}) (${templateId}) ${problem}`,
    [],
    "node",
    explanation,
  );
}

/** A choice declared in the fixture: consuming or not, with the result unit. */
function declaredChoice(
  contract: KnownContract,
  { choice, argument, typed }: Exercising & { readonly typed: LfChoice | undefined },
  interpretation: Interpretation,
): ChoiceExecution | undefined {
  const { ledger, submitters } = interpretation.options;
  const value =
    typed === undefined
      ? interpretation.value(argument, { type: "any" })
      : interpretation.typedValue(argument, typed.argument.type);
  const declared = templateOf(ledger, contract.templateId, contract.packageName)?.choices.get(choice);
  if (declared === undefined) return undefined;
  return {
    argument: value,
    isConsuming: declared.isConsuming,
    actingParties: submitters,
    inside: () => ({ type: "unit" }),
  };
}

function contractOf(
  { templateId, argument }: Pick<Extract<LedgerCommand, { readonly type: "create" }>, "templateId" | "argument">,
  interpretation: Interpretation,
): NewContract {
  const { ledger, submitters, archives } = interpretation.options;
  const resolved = resolveTemplate(templateId, ledger, submitters);
  checkTemplate(resolved.templateId, templateId, archives);
  const isTyped = isArchived(resolved.templateId, archives);
  const declared = templateOf(ledger, resolved.templateId, resolved.packageName);
  const value = isTyped
    ? interpretation.typedValue(argument, { type: "con", id: resolved.templateId, args: [] })
    : declaredValue(argument, declared, interpretation);
  const bare = { ...resolved, argument: value, signatories: submitters, observers: [] };
  const known = partiesOf(bare);
  const owned = known?.signatories ?? tokenSignatories(bare, interpretation.options.registry);
  const isKnown = isTyped || owned !== undefined || declared !== undefined;
  if (!isKnown && declaresTemplates(resolved.packageName, ledger)) throw unknownTemplate(templateId);
  if (!isKnown) interpretation.undeclared.add(templateId);
  const signatories = owned ?? (declared === undefined ? submitters : partiesAt(value, declared.signatories));
  const observers = known?.observers ?? (declared === undefined ? [] : partiesAt(value, declared.observers));
  if (signatories.length === 0 || signatories.some((party) => !submitters.includes(party)))
    throw unauthorized(signatories, resolved.templateId, interpretation, absentSignatories(value, declared));
  return { ...resolved, argument: value, signatories, observers };
}

/** The fields that `signatories` of the fixture names and that a create argument does not have; undefined without any. */
function absentSignatories(argument: DamlValue, declared: Template | undefined): string | undefined {
  const absent = (declared?.signatories ?? []).filter((field) => partiesAt(argument, [field]).length === 0);
  if (absent.length === 0) return undefined;
  return `(the fixture takes the signatories from ${absent.join(", ")}, which createArguments does not have)`;
}

/** A create argument without an archive: of the types that the fixture states, or of those that its JSON suggests. */
function declaredValue(argument: Argument, declared: Template | undefined, interpretation: Interpretation): DamlValue {
  return declared?.fields === undefined
    ? interpretation.value(argument, { type: "any" })
    : interpretation.recordValue(argument, declared.fields);
}

function templateOf(ledger: LedgerState, templateId: string, packageName: string): Template | undefined {
  return ledger.templates.get(`${packageName}:${entityOf(templateId)}`);
}

/** Whether the fixture declares templates of the package: it then has no others. */
function declaresTemplates(packageName: string, { templates }: LedgerState): boolean {
  return [...templates.keys()].some((key) => key.startsWith(`${packageName}:`));
}

/** The name of the package of a template; undefined for a package id that the node does not know. */
function packageNameOf(templateId: string, { packages }: LedgerState): string | undefined {
  const named = packageOf(templateId);
  return named.startsWith("#") ? named.slice(1) : packages.get(named)?.name;
}

/** Resolves a package name to the newest version on the node. */
function resolveTemplate(
  templateId: string,
  ledger: LedgerState,
  submitters: readonly string[] = [],
): { readonly templateId: string; readonly packageName: string } {
  const named = packageOf(templateId);
  const found = candidatesOf(named, ledger).sort((left, right) => compareVersions(right.version, left.version))[0];
  if (found === undefined)
    throw new InterpretationFailure(
      "JSON_API_PACKAGE_SELECTION_FAILED",
      unselected(named, submitters),
      [],
      "json-layer",
      similarName(templateId, ledger),
    );
  return { templateId: `${found.id}:${entityOf(templateId)}`, packageName: found.name };
}

/** The uploaded packages with this id, or with the name after #. */
function candidatesOf(named: string, { packages }: LedgerState): Package[] {
  return [...packages.values()].filter(
    ({ id, name, isUploaded }) => isUploaded && (named.startsWith("#") ? `#${name}` === named : id === named),
  );
}

/** The id with the sign of a package name, for a name that was written without it; undefined for another package. */
function similarName(templateId: string, { packages }: LedgerState): string | undefined {
  const isName = [...packages.values()].some(({ name }) => name === packageOf(templateId));
  return isName ? `(did you mean #${templateId}?)` : undefined;
}

/** The text of a node for a package that it does not have. Evidence: Canton 3.5, reports of users. */
function unselected(named: string, [submitter = ""]: readonly string[]): string {
  return named.startsWith("#")
    ? `No package with package-name '${named.slice(1)}' is consistently vetted by all hosting participants of party ${submitter}`
    : `Package-id ${named} not known`;
}
