import { formatJson, isSameJson, type Json } from "../../../foundation/json/json.ts";
import { transferFactories } from "../../rules/context-lookups.ts";
import { memberAt, objectAt, textAt } from "../../rules/members.ts";
import { inconclusive, notApplicable, type TracedExchange, withFindings } from "../../rules/rule.ts";
import { Registries } from "../_lookups.ts";
import { lookupExample, prepareExample, transfer } from "../_samples.ts";
import { preparation } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";
import { createContextKey, exercisesIn } from "./_exercises.ts";

const ofParties = (receiver: string) => ({
  transfer: { sender: "alice::1220ab", receiver, amount: "1.0", instrumentId: { admin: "DSO::1220ab", id: "Amulet" } },
});

const [lookUp, prepared] = [lookupExample(transfer("1.0")), prepareExample(transfer("1.0"), "YQ==")];
/** The transfer of version 1, where accounts are parties. */
const lookUpFirst = lookupExample(ofParties("bob::1220ab"));

/** Number of transfers remembered per context, since many lookups get the same response. */
const transfersMax = 50;

/** Lookups of that many transfers with the same response, then another transfer. */
const oneMoreThan = (count: number) => [
  ...Array.from({ length: count }, (_, index) => lookupExample(transfer("1.0", `receiver-${index}::1220ab`))),
  prepareExample(transfer("1.0"), "YQ=="),
];

/** Amount, times and inputs may change, so that consumers can fetch contexts in advance. */
export const contextOfThisTransfer: ClientRule = {
  type: "trace",
  id: "context-of-this-transfer",
  section: "2.1",
  severity: "warning",
  sentence: "`choiceArguments`, a required object, has the arguments for the choice of the factory.",
  summary: "A context is used only for a transfer with the sender, receiver and instrument of its lookup.",
  why: "A context may have contracts specific to the arguments: the receiver's pre-approval, an instrument's configuration, the credentials of either side. With another transfer the submission fails or becomes another kind of transfer.",
  advice: "Use the same arguments for the lookup and for the choice.",
  operations: [...transferFactories, preparation],
  assumesExclusiveUse: true,
  watch(memories) {
    const contextKey = createContextKey();
    const registries = new Registries();
    const transfers = memories.map<readonly (Ends | undefined)[]>();
    const remember = (traced: TracedExchange): void => {
      const factory = traced.status === 200 ? textAt(traced.responseJson, "factoryId") : undefined;
      if (factory === undefined) return;
      const context = objectAt(traced.responseJson, "choiceContext", "choiceContextData");
      const key = contextKey(registries.nameOf(traced), factory, context);
      const before = transfers.get(key) ?? [];
      if (before.length > transfersMax) return;
      // A lookup with unreadable arguments may be for any transfer.
      const requested = endsOf(memberAt(traced.requestJson, "choiceArguments"));
      if (!before.some((known) => isSame(known, requested))) transfers.set(key, [...before, requested]);
    };
    return {
      ends(traced) {
        if (traced.operation.operationId !== preparation) {
          remember(traced);
          return notApplicable;
        }
        const exercises = exercisesIn(traced.requestJson).map((exercise) => {
          const { contractId, context, argument } = exercise;
          const keys = registries.behind(traced).map((registry) => contextKey(registry, contractId, context));
          return { ...exercise, requested: keys.flatMap((key) => transfers.get(key) ?? []), own: endsOf(argument) };
        });
        const known = exercises.filter(({ requested, own }) => requested.length > 0 && own !== undefined);
        if (known.length === 0) return notApplicable;
        if (known.some(({ requested }) => requested.length > transfersMax))
          return inconclusive("many lookups of different transfers have this context");
        const others = known.filter(
          ({ requested, own }) => !requested.some((each) => each === undefined || isSame(each, own)),
        );
        return withFindings(
          others.map(({ own, pointer }) => ({
            expected: "sender, receiver and instrument of a lookup with this context",
            actual: formatJson({ ...own }),
            pointer: `${pointer}/transfer`,
          })),
        );
      },
    };
  },
  examples: {
    kept: [
      { name: "the transfer of the lookup", exchanges: [lookUp, prepared] },
      {
        name: "version 1, where accounts are parties",
        exchanges: [lookUpFirst, prepareExample(ofParties("bob::1220ab"), "YQ==")],
      },
      {
        name: "a choice that is not a transfer",
        exchanges: [lookUp, prepareExample({ receiver: "carol::1220ab" }, "YQ==")],
      },
      { name: "another amount", exchanges: [lookUp, prepareExample(transfer("2.0"), "YQ==")] },
      {
        name: "one of two transfers with the same lookup response",
        exchanges: [lookUp, lookupExample(transfer("1.0", "carol::1220ab")), prepared],
      },
      { name: "a context with more transfers than are remembered", exchanges: oneMoreThan(transfersMax + 1) },
    ],
    broken: [
      {
        name: "a transfer that differs from all of many with the same lookup response",
        exchanges: oneMoreThan(transfersMax),
      },
      {
        name: "another receiver, version 1",
        exchanges: [lookUpFirst, prepareExample(ofParties("carol::1220ab"), "YQ==")],
      },
      { name: "another receiver", exchanges: [lookUp, prepareExample(transfer("1.0", "carol::1220ab"), "YQ==")] },
    ],
  },
};

/** Sender, receiver and instrument of a transfer. */
interface Ends {
  readonly sender: Json;
  readonly receiver: Json;
  readonly instrumentId: { readonly admin: string; readonly id: string };
}

/** Undefined for arguments that do not show them. */
function endsOf(choiceArguments: Json | undefined): Ends | undefined {
  const transfer = memberAt(choiceArguments, "transfer");
  const instrument = memberAt(transfer, "instrumentId");
  const [sender, receiver] = [accountOf(memberAt(transfer, "sender")), accountOf(memberAt(transfer, "receiver"))];
  const [admin, id] = [textAt(instrument, "admin"), textAt(instrument, "id")];
  if (sender === undefined || receiver === undefined || admin === undefined || id === undefined) return undefined;
  return { sender, receiver, instrumentId: { admin, id } };
}

function isSame(left: Ends | undefined, right: Ends | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  const [one, other] = [left.instrumentId, right.instrumentId];
  return (
    one.id === other.id &&
    one.admin === other.admin &&
    isSameJson(left.sender, right.sender) &&
    isSameJson(left.receiver, right.receiver)
  );
}

/** In version 1 an account is only a party. */
function accountOf(value: Json | undefined): Json | undefined {
  if (typeof value === "string") return value;
  const owner = textAt(value, "owner");
  return owner === undefined ? undefined : [owner, memberAt(value, "provider") ?? null, memberAt(value, "id") ?? ""];
}
