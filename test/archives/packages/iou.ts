import { from } from "../_tables.ts";
import { type Archive, archiveOf } from "../archive-of.ts";
import {
  ARG,
  apply,
  applyTypes,
  builtin,
  decimal,
  get,
  ifFalse,
  ifTrue,
  listOf,
  match,
  raise,
  record,
  SELF,
  set,
  THIS,
  textOf,
  variable,
} from "../expressions.ts";
import { template } from "../templates.ts";
import { BOOL, con, contractId, nat, numeric, PARTY, UNIT } from "../types.ts";
import { create, exercise, pure, sequence } from "../updates.ts";
import { ARCHIVE, DA_EXCEPTION_PRECONDITION_FAILED, DA_TYPES } from "./stable.ts";

const Iou = con("Iou");
const AMOUNT = numeric(10);
const IOU_ID = contractId(Iou);
const PAIR = con(from(DA_TYPES, "DA.Types:Tuple2"), IOU_ID, IOU_ID);
const FAILED = con(from(DA_EXCEPTION_PRECONDITION_FAILED, "DA.Exception.PreconditionFailed:PreconditionFailed"));

const amount = get(Iou, "amount", THIS);
const owner = get(Iou, "owner", THIS);
const part = get(con("Split"), "part", ARG);
const isPositive = apply(applyTypes(builtin("GREATER"), AMOUNT), amount, decimal("0.0000000000"));
const remainder = apply(applyTypes(builtin("SUB_NUMERIC"), nat(10)), amount, part);
const failure = record(FAILED, { message: textOf("The amount is not positive.") });

/** A debt that its owner transfers and splits. */
export const IOU: Archive = archiveOf({
  name: "iou",
  version: "1.0.0",
  modules: {
    Iou: template({
      name: "Iou",
      fields: { issuer: PARTY, owner: PARTY, amount: AMOUNT },
      ensure: match(isPositive, ifTrue(isPositive), ifFalse(raise(BOOL, FAILED, failure))),
      signatories: listOf(PARTY, get(Iou, "issuer", THIS)),
      observers: listOf(PARTY, owner),
      choices: [
        {
          name: "Transfer",
          argument: { newOwner: PARTY },
          result: IOU_ID,
          controllers: listOf(PARTY, owner),
          body: create("Iou", set(Iou, "owner", THIS, get(con("Transfer"), "newOwner", ARG))),
        },
        {
          name: "Split",
          argument: { part: AMOUNT },
          result: PAIR,
          controllers: listOf(PARTY, owner),
          body: sequence(
            [
              ["first", IOU_ID, create("Iou", set(Iou, "amount", THIS, part))],
              ["second", IOU_ID, create("Iou", set(Iou, "amount", THIS, remainder))],
            ],
            pure(PAIR, record(PAIR, { _1: variable("first"), _2: variable("second") })),
          ),
        },
        {
          name: "Settle",
          result: UNIT,
          controllers: listOf(PARTY, get(Iou, "issuer", THIS), owner),
          isConsuming: false,
          body: exercise("Iou", "Archive", SELF, record(ARCHIVE, {})),
        },
      ],
    }),
  },
});
