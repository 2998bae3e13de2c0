import { from } from "../_tables.ts";
import { type Archive, archiveOf } from "../archive-of.ts";
import { definition, enumType, recordType, variantType } from "../data-types.ts";
import {
  ARG,
  apply,
  applyTypes,
  builtin,
  enumeration,
  get,
  ifFalse,
  ifNone,
  ifSome,
  ifTrue,
  lambda,
  letIn,
  listOf,
  match,
  raise,
  record,
  set,
  some,
  THIS,
  TRUE,
  textOf,
  UNIT_VALUE,
  value,
  variable,
  variant,
} from "../expressions.ts";
import { template } from "../templates.ts";
import {
  arrow,
  BOOL,
  con,
  contractId,
  genMap,
  INT64,
  list,
  optional,
  PARTY,
  TEXT,
  TIMESTAMP,
  textMap,
  UNIT,
  update,
} from "../types.ts";
import { create, GET_TIME, pure, sequence } from "../updates.ts";
import { DA_EXCEPTION_ASSERTION_FAILED } from "./stable.ts";

const Auction = con("Auction");
const Bid = con("Bid");
const Outcome = con("Outcome");
const REFUSED = con(from(DA_EXCEPTION_ASSERTION_FAILED, "DA.Exception.AssertionFailed:AssertionFailed"));

const highest = get(Auction, "highest", THIS);
const bidder = get(con("PlaceBid"), "bidder", ARG);
const price = get(con("PlaceBid"), "price", ARG);
const refusal = record(REFUSED, { message: textOf("The bid is not higher.") });
const insert = applyTypes(builtin("GENMAP_INSERT"), PARTY, INT64);
const bids = apply(insert, bidder, price, get(Auction, "bids", THIS));
const changed = set(Auction, "bids", set(Auction, "highest", THIS, some(Bid, variable("bid"))), bids);

/** Bids by price, with an enum, a variant, both maps, a function of its own and the ledger's time. In LF 2.2. */
export const AUCTION: Archive = archiveOf({
  name: "auction",
  version: "0.2.0",
  language: "2.2",
  modules: {
    "Market.Auction": [
      recordType("Bid", { bidder: PARTY, price: INT64 }),
      recordType("Outcome.Sold", { winner: PARTY, price: INT64, at: TIMESTAMP }),
      variantType("Outcome", { Sold: con("Outcome.Sold"), Unsold: UNIT }),
      enumType("Phase", "Open", "Closed"),
      definition(
        "isHigher",
        arrow(INT64, arrow(optional(Bid), BOOL)),
        lambda(
          { price: INT64, highest: optional(Bid) },
          match(
            variable("highest"),
            ifNone(TRUE),
            ifSome(
              "bid",
              apply(applyTypes(builtin("GREATER"), INT64), variable("price"), get(Bid, "price", variable("bid"))),
            ),
          ),
        ),
      ),
      ...template({
        name: "Auction",
        fields: {
          seller: PARTY,
          bidders: list(PARTY),
          phase: con("Phase"),
          highest: optional(Bid),
          bids: genMap(PARTY, INT64),
          labels: textMap(TEXT),
        },
        signatories: listOf(PARTY, get(Auction, "seller", THIS)),
        observers: get(Auction, "bidders", THIS),
        choices: [
          {
            name: "PlaceBid",
            argument: { bidder: PARTY, price: INT64 },
            result: contractId(Auction),
            controllers: listOf(PARTY, bidder),
            body: letIn(
              [["bid", Bid, record(Bid, { bidder, price })]],
              match(
                apply(value("isHigher"), price, highest),
                ifTrue(create("Auction", changed)),
                ifFalse(raise(update(contractId(Auction)), REFUSED, refusal)),
              ),
            ),
          },
          {
            name: "Close",
            result: Outcome,
            controllers: listOf(PARTY, get(Auction, "seller", THIS)),
            body: sequence(
              [
                ["now", TIMESTAMP, GET_TIME],
                [
                  "closed",
                  contractId(Auction),
                  create("Auction", set(Auction, "phase", THIS, enumeration(con("Phase"), "Closed"))),
                ],
              ],
              pure(
                Outcome,
                match(
                  highest,
                  ifNone(variant(Outcome, "Unsold", UNIT_VALUE)),
                  ifSome(
                    "bid",
                    variant(
                      Outcome,
                      "Sold",
                      record(con("Outcome.Sold"), {
                        winner: get(Bid, "bidder", variable("bid")),
                        price: get(Bid, "price", variable("bid")),
                        at: variable("now"),
                      }),
                    ),
                  ),
                ),
              ),
            ),
          },
        ],
      }),
    ],
  },
});
