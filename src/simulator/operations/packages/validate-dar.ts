import { isParticipantAdministrator } from "../_user-administrator.ts";
import type { Operation } from "../operation.ts";
import { uploadedPackages, vettingOf } from "./_uploaded-packages.ts";

/** `POST /v2/dars/validate`: checks a DAR like an upload that vets it, and stores nothing (Canton 3.5, JsPackageService.scala). */
export const validateDar: Operation = {
  operationId: "postV2DarsValidate",
  mayCall: ({ caller }) => isParticipantAdministrator(caller),
  perform(call, world) {
    const uploaded = uploadedPackages(call, world);
    if (uploaded.type !== "uploaded") return uploaded;
    const vetting = vettingOf(uploaded, call);
    return vetting.type === "vetting" ? { type: "text", text: "" } : vetting;
  },
};
