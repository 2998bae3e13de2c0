import { from } from "../_tables.ts";
import { type Archive, archiveOf } from "../archive-of.ts";
import { recordType } from "../data-types.ts";
import {
  ARG,
  apply,
  applyTypes,
  builtin,
  callMethod,
  decimal,
  type Expression,
  get,
  lambda,
  listOf,
  record,
  set,
  THIS,
  textOf,
  variable,
  viewOf,
} from "../expressions.ts";
import { type Instance, interfaceOf, template } from "../templates.ts";
import {
  arrow,
  type Constructed,
  con,
  contractId,
  INT64,
  nat,
  numeric,
  PARTY,
  TEXT,
  type Type,
  textMap,
  update,
} from "../types.ts";
import { create, pure, sequence } from "../updates.ts";

const AMOUNT = numeric(10);
const view = con("HoldingView");

/** An interface with a view, a method, and a choice that calls the method. */
export const HOLDING_API: Archive = archiveOf({
  name: "holding-api",
  version: "1.0.0",
  modules: {
    "Holding.Api": [
      recordType("HoldingView", { owner: PARTY, amount: AMOUNT, meta: textMap(TEXT) }),
      ...interfaceOf({
        name: "Holding",
        methods: { give: arrow(PARTY, update(contractId(con("Holding")))) },
        view,
        choices: [
          {
            name: "Give",
            argument: { to: PARTY },
            result: contractId(con("Holding")),
            controllers: listOf(PARTY, get(view, "owner", viewOf("Holding", THIS))),
            body: apply(callMethod("Holding", "give", THIS), get(con("Give"), "to", ARG)),
          },
        ],
      }),
    ],
  },
});

const Holding = from(HOLDING_API, "Holding.Api:Holding");
const View = con(from(HOLDING_API, "Holding.Api:HoldingView"));

/** An instance that makes a contract for the new owner, and returns its id as that of an interface. */
function instance(type: Constructed, owner: string, amount: Expression, kind: string): Instance {
  const made: Type = contractId(type);
  const coerced = apply(applyTypes(builtin("COERCE_CONTRACT_ID"), type, con(Holding)), variable("made"));
  const entry = [textOf("kind"), textOf(kind), applyTypes(builtin("TEXTMAP_EMPTY"), TEXT)];
  return {
    face: Holding,
    methods: {
      give: lambda(
        { to: PARTY },
        sequence(
          [["made", made, create(type.reference, set(type, owner, THIS, variable("to")))]],
          pure(contractId(con(Holding)), coerced),
        ),
      ),
    },
    view: record(View, {
      owner: get(type, owner, THIS),
      amount,
      meta: apply(applyTypes(builtin("TEXTMAP_INSERT"), TEXT), ...entry),
    }),
  };
}

const Coin = con("Coin");
const Voucher = con("Voucher");
const points = apply(
  applyTypes(builtin("INT64_TO_NUMERIC"), nat(10)),
  decimal("0.0000000000"),
  get(Voucher, "points", THIS),
);

/** Two templates of one interface, in a package beside it. */
export const HOLDINGS: Archive = archiveOf({
  name: "holdings",
  version: "1.0.0",
  language: "2.2",
  modules: {
    Holdings: [
      ...template({
        name: "Coin",
        fields: { issuer: PARTY, owner: PARTY, grams: AMOUNT },
        signatories: listOf(PARTY, get(Coin, "issuer", THIS)),
        observers: listOf(PARTY, get(Coin, "owner", THIS)),
        instances: [instance(Coin, "owner", get(Coin, "grams", THIS), "coin")],
      }),
      ...template({
        name: "Voucher",
        fields: { shop: PARTY, bearer: PARTY, points: INT64 },
        signatories: listOf(PARTY, get(Voucher, "shop", THIS), get(Voucher, "bearer", THIS)),
        instances: [instance(Voucher, "bearer", points, "voucher")],
      }),
    ],
  },
});
