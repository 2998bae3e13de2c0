// Names of a LocalNet (cn-quickstart 3c8ca2f, configuration of Splice and nginx: source).

/** The scenario of a LocalNet; a path relative to the root of the package. */
export const localnetScenario = "scenarios/localnet.arazzo.yaml";

/** The audience of tokens for the ledger and the validator. */
export const localnetAudience = "https://canton.network.global";

/** The participant app-provider in the scenario; app-user is its first one. */
export const appProvider = "appProvider";

/** The user of the operator of a validator, on each participant. */
export const operatorUser = "ledger-api-user";
