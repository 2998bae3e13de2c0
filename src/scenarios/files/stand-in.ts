import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import type { FixtureKind } from "./read-fixture.ts";
import { danglingInRegistry } from "./references.ts";
import type { SourceFile } from "./source-file.ts";

/**
 * The other fixture for one that is served alone. A ledger gets a registry without instruments, contracts and factory. A
 * registry gets a participant with the parties and the synchronizers that it names.
 */
export function standInFor(kind: FixtureKind, source: SourceFile): SourceFile {
  const root = objectOf(source.value);
  const value = kind === "ledger" ? emptyRegistry(root) : ledgerOf(root);
  return { name: source.name, value, isChecked: true, placeOf: () => ({ line: 1, column: 1 }) };
}

const fingerprint = "122056e00d8eef432e448963fb33d31cbc989835384ec290868e0a0f7573b254b1af";

function emptyRegistry(ledger: JsonObject): JsonObject {
  const namespace = textOf(ledger["participantId"]).split("::")[1] ?? fingerprint;
  return { admin: `registry::${namespace}`, factory: { context: [] }, contracts: [] };
}

function ledgerOf(registry: JsonObject): JsonObject {
  const named = danglingInRegistry(registry, () => false);
  const namesOf = (kind: string) => new Set(named.filter((name) => name.kind === kind).map(({ name }) => name));
  const parties = new Set([textOf(registry["admin"]), ...namesOf("parties")]);
  return {
    participantId: `participant1::${fingerprint}`,
    synchronizers: withAliases([...namesOf("synchronizers")]),
    parties: [...parties].map((id) => ({ id })),
    users: [{ id: "participant_admin", rights: ["ParticipantAdmin"] }],
    identityProviders: [
      { id: "default", issuer: "https://login.example.com", jwksUrl: "https://login.example.com/jwks" },
    ],
  };
}

/** Synchronizers whose alias is the first part of the id, or the whole id where another has the same. */
function withAliases(ids: readonly string[]): readonly Json[] {
  const prefixes = ids.map((id) => id.split("::")[0] ?? id);
  return ids.map((id, index) => {
    const prefix = prefixes[index] ?? id;
    return { alias: prefixes.indexOf(prefix) === prefixes.lastIndexOf(prefix) ? prefix : id, id };
  });
}
