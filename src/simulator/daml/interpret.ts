import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import type { LedgerState, Template } from "../ledger/ledger-state.ts";
import { textAt, textsAt } from "./_fields.ts";
import { DamlMismatch } from "./daml-type.ts";
import {
  type Argument,
  Interpretation,
  InterpretationFailure,
  type Options,
  type TimeWindow,
} from "./interpretation.ts";
import { archive, type ChoiceExecution, tokenChoice, unknownChoice } from "./token-choices.ts";
import { tokenSignatories } from "./token-contracts.ts";
import { type KnownContract, type NewContract, TransactionBuilder } from "./transaction-builder.ts";

/** A command. Templates are named by package id, or by # and the package name. */
export type Command =
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
      /** The times at which the result is the same. */
      readonly window: TimeWindow;
    }
  | {
      readonly type: "failed";
      readonly code: string;
      readonly problem: string;
      readonly resources: InterpretationFailure["resources"];
    };

/** Interprets commands into a transaction. The same seed and options give the same transaction. */
export function interpret(commands: readonly Command[], options: Options, seed: string): Interpreted {
  const interpretation = new Interpretation(options, new TransactionBuilder(seed));
  try {
    for (const command of commands) play(command, interpretation);
    return { type: "interpreted", builder: interpretation.builder, window: interpretation.window };
  } catch (error) {
    if (error instanceof DamlMismatch)
      return { type: "failed", code: "INVALID_ARGUMENT", problem: `${error.message}.`, resources: [] };
    if (!(error instanceof InterpretationFailure)) throw error;
    return { type: "failed", code: error.code, problem: error.message, resources: error.resources };
  }
}

function play(command: Command, interpretation: Interpretation): void {
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

type Exercising = Pick<Extract<Command, { readonly type: "exercise" }>, "templateId" | "choice" | "argument">;

function exercise(contract: KnownContract, requested: Exercising, interpretation: Interpretation): void {
  const { choice, argument, templateId } = requested;
  if (choice === "Archive") {
    authorize(contract.signatories, contract, interpretation);
    archive(contract, interpretation);
    return;
  }
  const isInterface = entityOf(templateId) !== entityOf(contract.templateId);
  const interfaceId = isInterface ? templateId : undefined;
  const found =
    tokenChoice(choice, { contract, interfaceId, argument }, interpretation) ??
    declaredChoice(contract, requested, interpretation);
  if (found === undefined) throw unknownChoice(choice, contract.templateId);
  authorize(found.actingParties, contract, interpretation);
  interpretation.builder.exercise({ contract, interfaceId, choice, ...found }, () => found.inside());
}

/** Checks that every acting party is a submitter. */
function authorize(acting: readonly string[], { templateId }: KnownContract, { options }: Interpretation): void {
  const missing = acting.filter((party) => !options.submitters.includes(party));
  // The administrator of a registry is a signatory of its rules, which authorizes it.
  const unauthorized = missing.filter((party) => party !== options.registry.admin);
  if (unauthorized.length > 0)
    throw new InterpretationFailure(
      "UNHANDLED_EXCEPTION",
      `Interpretation error: ${templateId} requires authorizers ${acting.join(", ")}, but only ${options.submitters.join(", ")} submit`,
    );
}

/** A choice declared in the fixture: consuming or not, with the result unit. */
function declaredChoice(
  contract: KnownContract,
  { choice, argument }: Exercising,
  interpretation: Interpretation,
): ChoiceExecution | undefined {
  const { ledger, submitters } = interpretation.options;
  const declared = templateOf(ledger, contract.templateId, contract.packageName)?.choices.get(choice);
  if (declared === undefined) return undefined;
  return {
    argument: interpretation.value(argument, { type: "any" }),
    isConsuming: declared.isConsuming,
    actingParties: submitters,
    inside: () => ({ type: "unit" }),
  };
}

function contractOf(
  { templateId, argument }: Pick<Extract<Command, { readonly type: "create" }>, "templateId" | "argument">,
  interpretation: Interpretation,
): NewContract {
  const { ledger, submitters } = interpretation.options;
  const resolved = resolveTemplate(templateId, ledger);
  const value = interpretation.value(argument, { type: "any" });
  const declared = templateOf(ledger, resolved.templateId, resolved.packageName);
  const bare = { ...resolved, argument: value, signatories: submitters, observers: [] };
  const owned = tokenSignatories(bare, interpretation.options.registry);
  const signatories = owned ?? (declared === undefined ? submitters : partiesAt(value, declared.signatories));
  const observers = declared === undefined ? [] : partiesAt(value, declared.observers);
  const missing = signatories.filter((party) => !submitters.includes(party));
  if (signatories.length === 0 || missing.length > 0)
    throw new InterpretationFailure(
      "UNHANDLED_EXCEPTION",
      `Interpretation error: creating ${templateId} requires the authorization of ${missing.join(", ") || "a signatory"}`,
    );
  return { ...resolved, argument: value, signatories, observers };
}

/** The parties in these fields; a field holds one party or a list. */
function partiesAt(value: DamlValue, names: readonly string[]): readonly string[] {
  const found = names.flatMap((name) => [textAt(value, name), ...textsAt(value, name)]);
  return [...new Set(found.filter((party) => party !== ""))];
}

function templateOf(ledger: LedgerState, templateId: string, packageName: string): Template | undefined {
  return ledger.templates.get(`${packageName}:${entityOf(templateId)}`);
}

/** Module and entity, without the package. */
function entityOf(templateId: string): string {
  return templateId.slice(templateId.indexOf(":") + 1);
}

/** Resolves a package name to the newest version on the node. */
function resolveTemplate(
  templateId: string,
  { packages }: LedgerState,
): { readonly templateId: string; readonly packageName: string } {
  const named = templateId.split(":")[0] ?? "";
  const candidates = [...packages.values()].filter(
    ({ id, name, isUploaded }) => isUploaded && (named.startsWith("#") ? `#${name}` === named : id === named),
  );
  const found = candidates.sort((left, right) => compareVersions(right.version, left.version))[0];
  if (found === undefined)
    throw new InterpretationFailure("FAILED_TO_PREPARE_TRANSACTION", `The node has no package ${named}`);
  return { templateId: `${found.id}:${entityOf(templateId)}`, packageName: found.name };
}

function compareVersions(left: string, right: string): number {
  const [first, second] = [left.split(".").map(Number), right.split(".").map(Number)];
  const index = first.findIndex((part, place) => part !== (second[place] ?? 0));
  return index < 0 ? first.length - second.length : (first[index] ?? 0) - (second[index] ?? 0);
}
