import type { Json } from "../../foundation/json/json.ts";

/** Values that probes use: identifiers that exist at the target, and what its operator prepared. */
export interface TargetValues {
  /** A user that may be changed, for targets on which probes cannot create one. */
  readonly user?: string | undefined;
  /** A user that is only read; its rights stay unchanged. */
  readonly existingUser?: string | undefined;
  /** A party for rights of new users. */
  readonly party?: string | undefined;
  readonly synchronizer?: string | undefined;
  /** A package that the participant has. */
  readonly package?: string | undefined;
  /** A package that is not vetted and can be. */
  readonly vettablePackage?: string | undefined;
  /** A package that cannot be vetted, for example because a dependency is missing. */
  readonly unvettablePackage?: string | undefined;
  /** Transactions that may be executed, in this order. */
  readonly preparedTransactions?: readonly PreparedSubmission[] | undefined;
  readonly sender?: string | undefined;
  /** A party that has not pre-approved direct transfers. */
  readonly receiver?: string | undefined;
  readonly preapprovedReceiver?: string | undefined;
  readonly instrument?: Instrument | undefined;
  /** A contract that lookups disclose and hooks may reassign, and the synchronizer to reassign it to. */
  readonly reassignable?: Reassignable | undefined;
}

/** A prepared transaction with its signatures, as in the request of an execution. */
export interface PreparedSubmission {
  readonly preparedTransaction: string;
  readonly partySignatures: Json;
  readonly hashingSchemeVersion: string;
  /** The user of the prepare request. */
  readonly userId?: string | undefined;
}

interface Instrument {
  readonly admin: string;
  readonly id: string;
}

interface Reassignable {
  readonly contract: string;
  readonly to: string;
}

/** Bearer tokens by kind. */
export interface TargetTokens {
  readonly administrator?: string | undefined;
  readonly plain?: string | undefined;
  readonly expired?: string | undefined;
  /** Executes the prepared transactions. Default: the administrator's token. */
  readonly submitter?: string | undefined;
}

/** Steps that only the target's operator can take. */
export const hookNames = [
  "beginReassignment",
  "completeReassignment",
  "createPreapproval",
  "archivePreapproval",
] as const;
export type HookName = (typeof hookNames)[number];

/** Takes the step with the given variables. Returns the reason of a failure, or undefined on success. */
export type Hook = (variables: Readonly<Record<string, string>>) => Promise<string | undefined>;

export type Hooks = Readonly<Partial<Record<HookName, Hook>>>;

/** A precondition of a probe. */
export type Need =
  | "ledger"
  | "registry"
  | "administratorToken"
  | "plainToken"
  | "expiredToken"
  | "generatedCalls"
  | keyof TargetValues
  | HookName;

/** The option that provides a missing precondition. */
export const adviceOnNeeds: Readonly<Record<Need, string>> = {
  ledger: "--ledger URL",
  registry: "--registry URL",
  administratorToken: "UNDERSTUDY_TOKEN or --token",
  plainToken: "--target tokens.plain=TOKEN, the token of a user without rights",
  expiredToken: "--target tokens.expired=TOKEN, an expired token",
  generatedCalls: "json-schema-faker, a dependency of the package",
  user: "--target user=ID, one that may be changed",
  existingUser: "--target user=ID",
  party: "--target party=ID",
  synchronizer: "--target synchronizer=ID",
  package: "--target package=ID, one that the participant has",
  vettablePackage: "--target vettablePackage=ID, one that is not vetted and can be vetted",
  unvettablePackage: "--target unvettablePackage=ID, one that cannot be vetted",
  preparedTransactions: "preparedTransactions in a target file, signed and ready to be executed",
  sender: "--target sender=PARTY",
  receiver: "--target receiver=PARTY",
  preapprovedReceiver: "--target preapprovedReceiver=PARTY",
  instrument: "--target instrument.admin=PARTY and instrument.id=ID",
  reassignable: "--target reassignable.contract=ID and reassignable.to=SYNCHRONIZER",
  beginReassignment: "--target hooks.beginReassignment=COMMAND",
  completeReassignment: "--target hooks.completeReassignment=COMMAND",
  createPreapproval: "--target hooks.createPreapproval=COMMAND",
  archivePreapproval: "--target hooks.archivePreapproval=COMMAND",
};
