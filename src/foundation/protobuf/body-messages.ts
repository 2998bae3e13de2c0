import { memoize } from "../text/memoize.ts";
import { type CreatedEvent, decodeCreatedEventBlob } from "./created-event-blob.ts";
import { FieldBudget } from "./field-budget.ts";
import { decodePreparedTransaction, type PreparedTransaction } from "./prepared-transaction.ts";
import { decodeTopologyTransaction, type TopologyTransaction } from "./topology-transaction.ts";

/** What a text in base64 is known to encode, with the number of fields that decoding it reads. */
interface KnownTransaction {
  readonly prepared: PreparedTransaction;
  readonly fields: number;
}

/** The event in a blob, undefined for an invalid protobuf, with the number of fields that decoding it reads. */
interface CountedEvent {
  readonly event: CreatedEvent | undefined;
  readonly fields: number;
}

/** Characters of blobs in the cache of an event reader. */
const blobCharactersMax: number = 1024 * 1024;

/**
 * Creates a reader of blobs from standard base64. Many transactions disclose the same contracts, whose blobs it decodes once. Each
 * blob has the whole budget, and a request takes the fields afterwards: so it may decode one blob too many.
 */
export function createEventReader(fieldsMax: number): (base64: string) => CountedEvent {
  return memoize((base64) => {
    const budget = new FieldBudget(fieldsMax);
    const event = decodeCreatedEventBlob(base64, budget);
    return { event, fields: budget.fields };
  }, blobCharactersMax);
}

interface ReadTransaction {
  readonly base64: string;
  readonly message: PreparedTransaction | undefined;
}

/** Decodes the messages in one request body, all within one budget of fields. Beyond it every message is undefined. */
export class BodyMessages {
  readonly #budget: FieldBudget;
  readonly #readEvent: (base64: string) => CountedEvent;
  /** The transaction that was read last: the stages of a request read the same one. */
  #prepared: ReadTransaction | undefined;

  constructor(fieldsMax: number, readEvent: (base64: string) => CountedEvent) {
    this.#budget = new FieldBudget(fieldsMax);
    this.#readEvent = readEvent;
  }

  /** Whether the messages have more fields than allowed. */
  get isExceeded(): boolean {
    return this.#budget.isExceeded;
  }

  /** A prepared transaction from standard base64; undefined for an invalid protobuf. One that is known is not decoded. */
  preparedTransaction(base64: string, known?: KnownTransaction): PreparedTransaction | undefined {
    if (this.#prepared?.base64 !== base64) this.#prepared = { base64, message: this.#read(base64, known) };
    return this.#prepared.message;
  }

  #read(base64: string, known: KnownTransaction | undefined): PreparedTransaction | undefined {
    if (known === undefined) return decodePreparedTransaction(base64, this.#budget);
    return this.#budget.take(known.fields) ? known.prepared : undefined;
  }

  /** A topology transaction from standard base64; undefined for an invalid protobuf. */
  topologyTransaction(base64: string): TopologyTransaction | undefined {
    return decodeTopologyTransaction(base64, this.#budget);
  }

  /** The event in a blob from standard base64; undefined for an invalid protobuf. */
  createdEvent(base64: string): CreatedEvent | undefined {
    const { event, fields } = this.#readEvent(base64);
    return this.#budget.take(fields) ? event : undefined;
  }
}
