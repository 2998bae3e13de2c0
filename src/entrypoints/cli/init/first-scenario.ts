/** Texts of the first scenario and its fixtures. Editors complete the fixtures by the schema in the first line. */
export function firstScenario(packageFolder: string): Readonly<Record<string, string>> {
  const schema = (name: string) => `# yaml-language-server: $schema=${packageFolder}/schemas/${name}.schema.json\n`;
  return {
    "first.arazzo.yaml": `${schema("arazzo")}${scenarioText(packageFolder)}`,
    "ledger.yaml": `${schema("ledger-fixture")}${ledger}`,
    "registry.yaml": `${schema("registry-fixture")}${registry}`,
  };
}

function scenarioText(packageFolder: string): string {
  return `arazzo: 1.0.1
info: { title: My first scenario, version: 1.0.0 }
sourceDescriptions:   # for other tools; understudy knows the operations
  - { name: ledger, url: ${packageFolder}/contracts/ledger-json-api.yaml, type: openapi }
workflows:
  - workflowId: first
    x-understudy:
      profile: canton-3.5   # for serve, the release of your node; run plays all
      given: { ledger: ledger.yaml, registry: registry.yaml }
    steps:
      - stepId: list-users
        operationId: $sourceDescriptions.ledger.getV2Users
        parameters:
          - { name: Authorization, in: header, value: Bearer any }
        successCriteria:
          - condition: $statusCode == 200
          - condition: $response.body#/users/0/id == 'alice'
`;
}

const ledger = `participantId: participant1::1220ab
synchronizers:
  - { alias: main, id: "main::1220ab" }
parties:
  - { id: "alice::1220ab" }
  - { id: "bob::1220ab" }
users:
  - { id: alice, primaryParty: "alice::1220ab", rights: [{ CanActAs: "alice::1220ab" }] }
identityProviders:   # the profile "spec" needs at least one
  - { id: corporate, issuer: "https://login.example.com", jwksUrl: "https://login.example.com/jwks" }
`;

const registry = `admin: registrar::1220ab
instruments: [{ id: USDX }]
factory:
  contract: factory
  context: []
contracts:
  - name: factory
    templateId: 6d1798ffd7e60d49c64fc3ec35f8f814f9aecbcc96cea1056c6973d9c59d7cf0:My.Registry:Factory
    packageName: my-registry
    createdAt: 2026-01-01T00:00:00Z
    synchronizer: "main::1220ab"
`;
