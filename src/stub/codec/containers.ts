import type { Json } from "../../foundation/json/json.ts";
import type { Decoder } from "./decoder.ts";
import { allFailures, DecodingFailure, missing, wrongType } from "./decoding-failure.ts";
import { isParsedList, isParsedObject, type Parsed, type ParsedObject } from "./parsed.ts";

// Decoders of values with members. Source of the rules: observations of the codec of Canton 3.5.

/** One member of a message. */
export interface DecodedMember {
  readonly name: string;
  readonly decode: Decoder;
  /** The value if the member is absent; undefined if it stays absent. */
  readonly byDefault: Json | DecodingFailure | undefined;
  /** Whether null means absent. */
  readonly isNullable: boolean;
}

/** The members of a message, read on first use, since messages can be recursive. */
type Members = () => readonly DecodedMember[];

export function decodeList(items: Decoder): Decoder {
  return (value) => {
    if (!isParsedList(value)) return wrongType(value, "array");
    const decoded: Json[] = [];
    for (const element of value) {
      const item = items(element);
      if (item instanceof DecodingFailure) return item.under(`[${decoded.length}]`);
      decoded.push(item);
    }
    return decoded;
  };
}

export function decodeMap(values: Decoder): Decoder {
  return (value) => {
    if (!isParsedObject(value)) return wrongType(value, "object");
    const decoded: [string, Json][] = [];
    for (const name of Object.keys(value)) {
      const entry = values(value[name] ?? null);
      if (entry instanceof DecodingFailure) return entry.under(name);
      decoded.push([name, entry]);
    }
    return Object.fromEntries(decoded);
  };
}

/** A message of the ledger API: the first failure in the order of its members. */
export function decodeMessage(members: Members): Decoder {
  return (value) => {
    if (!isParsedObject(value)) return withoutMembers(members());
    const decoded: Record<string, Json> = {};
    for (const member of members()) {
      const inner = decodeMember(member, value);
      if (inner instanceof DecodingFailure) return inner.under(member.name).closed();
      if (inner !== undefined) decoded[member.name] = inner;
    }
    return decoded;
  };
}

/** A message of the JSON layer: the failures of all its members. */
export function decodeStrictMessage(members: Members): Decoder {
  return (value) => {
    const decoded: Record<string, Json> = {};
    const failures: DecodingFailure[] = [];
    for (const member of members()) {
      const inner = decodeMember(member, isParsedObject(value) ? value : {});
      if (inner instanceof DecodingFailure) failures.push(inner.under(member.name));
      else if (inner !== undefined) decoded[member.name] = inner;
    }
    return failures.length === 0 ? decoded : allFailures(failures);
  };
}

/** A lenient message: other values than objects count as the empty object, and null members get defaults. Its path continues in its members. */
export function decodeLenientMessage(members: Members): Decoder {
  return (value) => {
    const decoded: Record<string, Json> = {};
    for (const member of members()) {
      const inner = decodeMember(member, isParsedObject(value) ? value : {});
      if (inner instanceof DecodingFailure) return inner.under(member.name);
      if (inner !== undefined) decoded[member.name] = inner;
    }
    return decoded;
  };
}

/** The failure of a value that is not an object: it counts as an object without members and without defaults. */
function withoutMembers([first]: readonly DecodedMember[]): DecodingFailure {
  return (first === undefined ? new DecodingFailure("HNil") : missing.under(first.name)).closed();
}

function decodeMember(member: DecodedMember, value: ParsedObject): Json | DecodingFailure | undefined {
  const given: Parsed | undefined = Object.hasOwn(value, member.name) ? value[member.name] : undefined;
  if (given === undefined || (given === null && member.isNullable)) return member.byDefault;
  return member.decode(given);
}

/** A oneOf: the first present case by name. */
export function decodeOneOf(cases: () => ReadonlyMap<string, Decoder>): Decoder {
  return (value) => {
    if (!isParsedObject(value)) return noCase();
    for (const [name, decode] of cases()) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (given === undefined) continue;
      const decoded = decode(given);
      return decoded instanceof DecodingFailure ? decoded.under(name) : { [name]: decoded };
    }
    return noCase();
  };
}

function noCase(): DecodingFailure {
  return new DecodingFailure("JSON decoding to CNil should never happen");
}

/** The empty case of a oneOf: any object. */
export const decodeEmptyCase: Decoder = (value) => (isParsedObject(value) ? {} : new DecodingFailure("HNil"));

/** A case without a value. */
export const decodeUnit: Decoder = (value) => {
  const isUnit =
    value === null ||
    (isParsedList(value) && value.length === 0) ||
    (isParsedObject(value) && Object.keys(value).length === 0);
  return isUnit ? {} : wrongType(value, "'null' or '[]' or '{}'");
};
