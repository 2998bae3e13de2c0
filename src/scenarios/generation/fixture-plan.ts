import { applicationNames, digestOf, namespaced, organisationNames, packageNames, personNames } from "./names.ts";
import { randomOf } from "./random.ts";

/** Number of entities by kind. */
export interface FixtureSizes {
  readonly users: number;
  readonly parties: number;
  readonly packages: number;
  readonly synchronizers: number;
  readonly identityProviders: number;
}

/** Minimum and maximum of each; transfers need two parties, and the spec requires an identity provider. */
export const sizeLimits = {
  users: [1, 1_000_000],
  parties: [2, 200_000],
  packages: [1, 10_000],
  synchronizers: [1, 100],
  identityProviders: [1, 16],
} as const;

/** The entities of a fixture, by index. They depend only on the seed and the sizes. */
export interface FixturePlan {
  readonly seed: number;
  readonly sizes: FixtureSizes;
  readonly participantId: string;
  readonly otherParticipantId: string;
  /** The admin party of the registry. */
  readonly admin: string;
  readonly parties: readonly string[];
  readonly packages: readonly PlannedPackage[];
  readonly synchronizers: readonly string[];
  readonly identityProviders: readonly string[];
  userId(index: number): string;
  /** The identity provider of a party, by the party's number; undefined for the default one. */
  providerOfParty(index: number): string | undefined;
}

interface PlannedPackage {
  readonly id: string;
  readonly name: string;
  readonly version: string;
}

/** The initial user of every node. */
export const administrator = "participant_admin";

/** Every nth user is an application. */
const applicationsEvery = 5;
/** Every nth party is managed by an identity provider. */
const managedEvery = 8;

/** Plans a ledger and a registry of these sizes. */
export function planFixture(seed: number, sizes: FixtureSizes): FixturePlan {
  const [people, applications, organisations] = [personNames(seed), applicationNames(seed), organisationNames(seed)];
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
  const identityProviders = numbers(sizes.identityProviders).map((index) =>
    index === 0 ? "corporate" : `partner-${index}`,
  );
  return {
    seed,
    sizes,
    participantId: namespaced(seed, "participant1"),
    otherParticipantId: namespaced(seed, "participant2"),
    admin: namespaced(seed, "DSO"),
    parties: numbers(sizes.parties).map((index) => namespaced(seed, organisations(index))),
    packages: plannedPackages(seed, sizes.packages),
    synchronizers: numbers(sizes.synchronizers).map((index) =>
      namespaced(seed, index === 0 ? "global-domain" : `private-domain-${index}`),
    ),
    identityProviders,
    userId(index) {
      if (index === 0) return administrator;
      const place = Math.floor(index / applicationsEvery);
      return index % applicationsEvery === 0 ? applications(place) : people(index - place);
    },
    providerOfParty: (index) =>
      index % managedEvery === managedEvery - 1
        ? identityProviders[randomOf(seed, "provider of party", index).below(identityProviders.length)]
        : undefined,
  };
}

/** The registry's package, then two versions of each other package. */
function plannedPackages(seed: number, count: number): readonly PlannedPackage[] {
  const names = packageNames(seed);
  return Array.from({ length: count }, (_, index) => {
    const name = index === 0 ? "splice-amulet" : names(Math.floor((index - 1) / 2));
    const version = index === 0 ? "0.1.9" : `1.${(index - 1) % 2}.0`;
    return { id: digestOf(seed, `package ${name} ${version}`), name, version };
  });
}
