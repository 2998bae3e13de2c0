import { from } from "../_tables.ts";
import { type Archive, archiveOf } from "../archive-of.ts";
import { ARG, get, listOf, record, THIS } from "../expressions.ts";
import { template } from "../templates.ts";
import { con, contractId, PARTY } from "../types.ts";
import { exercise } from "../updates.ts";
import { IOU } from "./iou.ts";

const Delegation = con("Delegation");
const Act = con("TransferFor");
const Iou = from(IOU, "Iou:Iou");

/** A right to transfer the debts of another party: a choice that exercises one of another package. */
export const DELEGATION: Archive = archiveOf({
  name: "delegation",
  version: "1.0.0",
  language: "2.2",
  modules: {
    Delegation: template({
      name: "Delegation",
      fields: { principal: PARTY, delegate: PARTY },
      signatories: listOf(PARTY, get(Delegation, "principal", THIS)),
      observers: listOf(PARTY, get(Delegation, "delegate", THIS)),
      choices: [
        {
          name: "TransferFor",
          argument: { iou: contractId(con(Iou)), newOwner: PARTY },
          result: contractId(con(Iou)),
          isConsuming: false,
          controllers: listOf(PARTY, get(Delegation, "delegate", THIS)),
          body: exercise(
            Iou,
            "Transfer",
            get(Act, "iou", ARG),
            record(con(from(IOU, "Iou:Transfer")), { newOwner: get(Act, "newOwner", ARG) }),
          ),
        },
      ],
    }),
  },
});
