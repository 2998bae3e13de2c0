import ledgerFixture from "../../../schemas/ledger-fixture.schema.json" with { type: "json" };
import registryFixture from "../../../schemas/registry-fixture.schema.json" with { type: "json" };
import { formatJson, isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { memberObject } from "../../foundation/spec/operation.ts";
import { createValidator } from "../../foundation/spec/validator.ts";
import type { Fake } from "./faker.ts";
import { counted, type Flaw, makeValid, nothingMade, type Tally } from "./make-valid.ts";
import { seedOf } from "./random.ts";

type FixtureKind = "ledger" | "registry";

const schemas: Readonly<Record<FixtureKind, JsonObject>> = { ledger: ledgerFixture, registry: registryFixture };

/** A member of a row, with a schema that narrows the fixture's schema. */
export interface Member {
  readonly schema: JsonObject;
  readonly isOptional?: boolean;
}

/** A member that has exactly this value. */
export function exactly(value: Json): Member {
  return { schema: { const: value } };
}

/** Makes the rows of a fixture's lists, each valid by the fixture's schema. */
export interface RowMaker {
  /** The nth row of a list, with these members only. */
  row(list: string, index: number, members: Readonly<Record<string, Member>>): JsonObject;
  readonly tally: Tally;
}

/** Creates rows of one kind of fixture from generated values, and counts the results. */
export function createRowMaker(kind: FixtureKind, fake: Fake, seed: number): RowMaker {
  const schema = schemas[kind];
  const validate = createValidator(schema);
  let tally = nothingMade;
  return {
    row(list, index, members) {
      const items = memberObject(memberObject(memberObject(schema, "properties"), list), "items");
      const flawsIn = (value: Json) => [...validate(`/properties/${list}/items`, value), ...repeatedRights(value)];
      const made = makeValid(fake, { schema: narrowed(items, members), flawsIn }, seedOf(seed, list, index));
      tally = counted(tally, made);
      return isJsonObject(made.value) ? made.value : bare(members);
    },
    get tally() {
      return tally;
    },
  };
}

function narrowed(items: JsonObject, members: Readonly<Record<string, Member>>): JsonObject {
  const documented = memberObject(items, "properties");
  const properties = Object.entries(members).map(
    ([name, { schema }]) =>
      [name, "const" in schema ? schema : { ...memberObject(documented, name), ...schema }] as const,
  );
  const required = Object.keys(members).filter((name) => members[name]?.isOptional !== true);
  return { type: "object", additionalProperties: false, required, properties: Object.fromEntries(properties) };
}

/** A row without generated members, in place of a dropped one. */
function bare(members: Readonly<Record<string, Member>>): JsonObject {
  const known = Object.entries(members).flatMap(([name, { schema }]) =>
    schema["const"] === undefined ? [] : [[name, schema["const"]] as const],
  );
  return Object.fromEntries(known);
}

/** Flaws for duplicate rights, which the schema allows. */
function repeatedRights(row: Json): readonly Flaw[] {
  const rights = isJsonObject(row) && Array.isArray(row["rights"]) ? row["rights"] : [];
  const seen = new Set<string>();
  return rights.flatMap((right: Json, index) => {
    const text = formatJson(right);
    const isRepeated = seen.has(text);
    seen.add(text);
    return isRepeated ? [{ pointer: `/rights/${index}`, keyword: "uniqueItems" }] : [];
  });
}
