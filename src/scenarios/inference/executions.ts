import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import { decodePreparedTransaction } from "../../foundation/protobuf/prepared-transaction.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import { type Call, causeOf } from "./call.ts";
import type { ApprovedReceiver } from "./registry.ts";
import type { Timeline } from "./timeline.ts";

/** A prepared transaction that is not a protobuf message: the fixture has to declare its effect. */
interface DeclaredTransaction {
  readonly signers: Set<string>;
  /** Places of the first signed execution that failed, and of the first that succeeded. */
  failedAt: number | undefined;
  succeededAt: number | undefined;
  /** Whether it was refused because it is not a prepared transaction. */
  isInvalid: boolean;
}

export interface DeclaredRows {
  readonly preparedTransactions: readonly JsonObject[];
  readonly holdings: readonly JsonObject[];
  /** The receivers for whom a transaction creates a pre-approval. */
  readonly approved: readonly string[];
}

const declaredMax = 10_000;
const submittersMax = 100_000;

const executions: ReadonlySet<string> = new Set([
  "postV2Interactive-submissionExecute",
  "postV2Interactive-submissionExecuteandwait",
  "postV2Interactive-submissionExecuteandwaitfortransaction",
]);

const placeholderParty = "placeholder::12200000000000000000000000000000000000000000000000000000000000000001";

/** The executed transactions, and the initial ledger end. */
export class SeenExecutions {
  readonly #declared = new Map<string, DeclaredTransaction>();
  readonly #timeline: Timeline;
  readonly #submitters = new Set<string>();
  #commits = 0n;
  #needsSynchronizer = false;
  #ledgerEnd: bigint | undefined;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  note(call: Call): void {
    const { operation, status, response } = call;
    if (operation.operationId === "getV2StateLedger-end" && status === 200)
      this.#noteOffset(objectOf(response)["offset"]);
    if (!executions.has(operation.operationId)) return;
    const { errorCode } = call;
    if (errorCode !== "NOT_CONNECTED_TO_ANY_SYNCHRONIZER") this.#needsSynchronizer = true;
    if (errorCode !== "UNKNOWN_SUBMITTERS") this.#noteSubmitters(signersOf(call));
    if (status === 200) {
      this.#commits += 1n;
      const { completionOffset, transaction } = objectOf(response);
      this.#noteOffset(completionOffset ?? objectOf(transaction)["offset"]);
    }
    this.#noteDeclared(call);
  }

  /** Whether a transaction was executed, or refused for another reason than a missing synchronizer. */
  get needsSynchronizer(): boolean {
    return this.#needsSynchronizer;
  }

  /** The submitters of executed transactions. They have to exist. */
  get submitters(): ReadonlySet<string> {
    return this.#submitters;
  }

  get ledgerEnd(): bigint {
    return this.#ledgerEnd ?? 0n;
  }

  /** The transactions as declared in a fixture. Their effects follow from the lookups before and after them. */
  rows(approvals: readonly ApprovedReceiver[], parties: readonly string[]): DeclaredRows {
    const declared = [...this.#declared].filter(([, { isInvalid }]) => !isInvalid);
    const signers = declared.flatMap(([, found]) => [...found.signers]);
    const defaultSigner = signers[0] ?? parties[0] ?? placeholderParty;
    const approved: string[] = [];
    const holdings: JsonObject[] = [];
    const effects = new Map<string, JsonObject>();
    for (const [value, found] of declared) {
      const approval = approvals.find(
        ({ receiver, offeredAt, approvedAt }) =>
          found.signers.has(receiver) && isBetween(found.succeededAt, offeredAt, approvedAt),
      );
      if (approval === undefined || approved.includes(approval.receiver)) continue;
      approved.push(approval.receiver);
      effects.set(value, { preapprove: approval.receiver });
    }
    for (const [value, found] of declared) {
      const transfer = effects.has(value) ? undefined : transferOf(found, approvals);
      if (transfer === undefined || !approved.includes(transfer.receiver)) continue;
      const { sender, receiver, instrumentId, amount } = transfer;
      const name = `${sender.split("::")[0]}-${holdings.length + 1}`;
      holdings.push({ name, owner: sender, instrument: instrumentId, amount });
      effects.set(value, { transfer: "direct", inputs: [name], to: receiver, amount });
    }
    const preparedTransactions = declared.map(([value, found], index) => {
      const actAs: readonly Json[] = found.signers.size === 0 ? [defaultSigner] : [...found.signers];
      const effect = effects.get(value);
      return { value, actAs, commandId: `command-${index + 1}`, ...(effect === undefined ? {} : { effect }) };
    });
    return { preparedTransactions, holdings, approved };
  }

  /** Offsets grow with every update, so the first one in a response shows the initial ledger end. */
  #noteOffset(offset: Json | undefined): void {
    if (typeof offset !== "number" && typeof offset !== "bigint") return;
    if (!Number.isInteger(Number(offset))) return;
    const before = BigInt(offset) - this.#commits;
    this.#ledgerEnd ??= before > 0n ? before : 0n;
  }

  #noteSubmitters(signers: readonly string[]): void {
    for (const signer of signers) if (this.#submitters.size < submittersMax) this.#submitters.add(signer);
  }

  #noteDeclared(call: Call): void {
    const body = objectOf(call.body);
    const value = textOf(body["preparedTransaction"]);
    const known = this.#declared.get(value);
    if (known === undefined && (!isOpaque(value) || this.#declared.size >= declaredMax)) return;
    const found = known ?? { signers: new Set(), failedAt: undefined, succeededAt: undefined, isInvalid: false };
    this.#declared.set(value, found);
    const signers = signersOf(call);
    for (const signer of signers) found.signers.add(signer);
    if (call.status === 200) found.succeededAt ??= this.#timeline.place;
    if (call.errorCode === "FAILED_TO_EXECUTE_TRANSACTION" && signers.length > 0)
      found.failedAt ??= this.#timeline.place;
    if (call.status === 400 && /not a PreparedTransaction/i.test(causeOf(call))) found.isInvalid = true;
  }
}

function signersOf({ body }: Call): readonly string[] {
  const signatures = objectsOf(objectOf(objectOf(body)["partySignatures"])["signatures"]);
  return signatures.map(({ party }) => textOf(party)).filter((party) => party !== "");
}

function isOpaque(value: string): boolean {
  return isIdentifier("createdEventBlob", value) && decodePreparedTransaction(value) === undefined;
}

function isBetween(place: number | undefined, first: number, last: number): boolean {
  return place !== undefined && first < place && place < last;
}

/** A transfer that failed until its receiver pre-approved direct transfers is a direct one. */
function transferOf(found: DeclaredTransaction, approvals: readonly ApprovedReceiver[]): ApprovedReceiver | undefined {
  const { failedAt, succeededAt, signers } = found;
  if (failedAt === undefined || succeededAt === undefined || succeededAt <= failedAt) return undefined;
  return approvals.find(
    ({ sender, offeredAt }) => signers.has(sender) && offeredAt < succeededAt && failedAt < succeededAt,
  );
}
