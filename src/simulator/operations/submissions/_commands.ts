import type { Json, JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../../foundation/json/members.ts";
import { advise } from "../../../foundation/text/suggestion.ts";
import { type Interpreted, interpret, type LedgerCommand } from "../../daml/interpret.ts";
import type { InterpretationOptions } from "../../daml/interpretation.ts";
import type { Synchronizer } from "../../ledger/ledger-state.ts";
import { contractIdProblem } from "../_contract-id.ts";
import { userMissing } from "../_user-refusal.ts";
import type { Call, WorldView } from "../operation.ts";
import { invalidArgument, nodeError, type Refusal } from "../refusal.ts";
import { readDisclosed, synchronizerMismatch } from "./_disclosed-contracts.ts";
import { synchronizerFor } from "./_routing.ts";
import { notVetted, packagesOf, unvettedOn } from "./_vetted-packages.ts";

// Commands in a body, from JSON to a transaction on a synchronizer; one way for prepare and for the submission of commands.

interface InterpretedCommands {
  readonly type: "interpreted";
  readonly interpreted: Extract<Interpreted, { readonly type: "interpreted" }>;
  readonly options: InterpretationOptions;
  readonly synchronizer: Synchronizer;
  /** The commands that the stub accepts without knowing their template. */
  readonly warning: string | undefined;
}

/** Interprets the commands of a body whose form is checked, and routes the transaction; the seed determines contract ids. */
export function interpretCommands(
  { body, messages, packages: opened }: Pick<Call, "body" | "messages" | "packages">,
  seed: string,
  world: WorldView,
): InterpretedCommands | Refusal {
  const given = objectsOf(body["commands"]).map(commandFrom);
  const commands = given.filter((command) => command !== undefined);
  if (commands.length < given.length)
    return invalidArgument("Understudy runs create, exercise and create-and-exercise commands only");
  const ids = commands.flatMap((command) => (command.type === "exercise" ? command.contractId : []));
  for (const id of ids) {
    const misread = contractIdProblem(id);
    if (misread !== undefined) return misread;
  }
  const disclosed = readDisclosed(body["disclosedContracts"], messages());
  if ("type" in disclosed) return disclosed;
  const [submitters, readers] = [distinct(body["actAs"]), distinct(body["readAs"])];
  const options: InterpretationOptions = {
    ...world,
    archives: opened.of(world.ledger),
    submitters,
    readers,
    disclosed,
  };
  const interpreted = interpret(commands, options, seed);
  if (interpreted.type === "failed")
    return {
      ...nodeError(interpreted.code, interpreted.problem, {
        resources: interpreted.resources,
        ...(interpreted.explanation === undefined ? {} : { explanation: interpreted.explanation }),
        ...undeclaredTemplate(interpreted, [...world.ledger.templates.keys()]),
        ...placeOfValue(interpreted),
      }),
      origin: interpreted.origin,
    };
  const used = interpreted.builder.inputs.map(({ contractId }) => contractId);
  const requested = textOf(body["synchronizerId"]);
  const packages = packagesOf(interpreted.builder, world);
  const routed = synchronizerFor({ requested, inputs: used, packages, submitters }, world);
  const mismatch = synchronizerMismatch(disclosed, used, requested);
  if (mismatch !== undefined)
    return "explanation" in routed ? { ...mismatch, explanation: routed.explanation } : mismatch;
  if (routed.type !== "found") return routed;
  const unvetted = unvettedOn(routed.synchronizer, packages, world.nowMs);
  if (unvetted.length > 0) return notVetted(unvetted, routed.synchronizer);
  const warning = undeclaredWarning(commands, interpreted.undeclared);
  return { type: "interpreted", interpreted, options, synchronizer: routed.synchronizer, warning };
}

function undeclaredWarning(commands: readonly LedgerCommand[], undeclared: ReadonlySet<string>): string | undefined {
  const index = commands.findIndex(({ templateId }) => undeclared.has(templateId));
  const templateId = commands[index]?.templateId;
  if (templateId === undefined) return undefined;
  return `commands.${index} creates ${templateId}, and the ledger fixture declares no template of this package: the stub accepts any arguments, and the submitters are the signatories. Declare the template under templates of the ledger fixture.`;
}

/** Whether the body names the user of the token, or none. */
export function isOwnUser({ caller, body }: Call): boolean {
  const userId = textOf(body["userId"]);
  return caller.type !== "user" || userId === "" || userId === caller.userId;
}

export function checkUser({ caller, body }: Call): Refusal | undefined {
  const isNobody = caller.type === "anonymous" || caller.userId === undefined;
  return isNobody && textOf(body["userId"]) === "" ? userMissing() : undefined;
}

/** The parties of a request are a set. */
export function distinct(parties: Json | undefined): readonly string[] {
  return [...new Set(textsOf(parties))];
}

function commandFrom(wrapper: JsonObject): LedgerCommand | undefined {
  const [kind = "", value] = Object.entries(wrapper)[0] ?? [];
  const given = objectOf(value);
  const [templateId, contractId, choice] = ["templateId", "contractId", "choice"].map((name) => textOf(given[name]));
  if (templateId === undefined || contractId === undefined || choice === undefined) return undefined;
  const json = (name: string) => ({ type: "json", json: given[name] ?? null }) as const;
  switch (kind) {
    case "CreateCommand":
      return { type: "create", templateId, argument: json("createArguments") };
    case "ExerciseCommand":
      return { type: "exercise", templateId, contractId, choice, argument: json("choiceArgument") };
    case "CreateAndExerciseCommand":
      return {
        type: "create-and-exercise",
        templateId,
        argument: json("createArguments"),
        choice,
        choiceArgument: json("choiceArgument"),
      };
    default:
      return undefined;
  }
}

/** The place of a value that is not of its type: the text of a node does not say it. */
function placeOfValue({ path }: Extract<Interpreted, { readonly type: "failed" }>): { readonly explanation?: string } {
  if (path === undefined) return {};
  return { explanation: path === "" ? "This is the whole argument." : `The value is at '${path}' of the argument.` };
}

/** Where to declare a template that the fixture does not have, and the nearest that it has. */
function undeclaredTemplate(
  { code, resources }: Extract<Interpreted, { readonly type: "failed" }>,
  declared: readonly string[],
): { readonly explanation?: string } {
  const [, named = ""] = resources.find(([type]) => type === "TEMPLATE_ID") ?? [];
  if (code !== "TEMPLATES_OR_INTERFACES_NOT_FOUND" || named === "") return {};
  const advice = advise(named.slice(named.indexOf(":") + 1), [
    ...new Set(declared.map((key) => key.slice(key.indexOf(":") + 1))),
  ]);
  return { explanation: `Declare it under templates of the ledger fixture, as the others of its package. ${advice}` };
}
