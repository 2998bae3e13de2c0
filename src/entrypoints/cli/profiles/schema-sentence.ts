import type { DescriptionDifference } from "../../../foundation/spec/compare-descriptions.ts";
import type { EffectOfRelease } from "../../../foundation/spec/contracts.ts";

/** What a difference of two descriptions means for a client that moves from the first to the second. */
export function sentenceOf(difference: DescriptionDifference): EffectOfRelease {
  const { part, change } = difference;
  const isAdded = change === "added";
  switch (part) {
    case "operation":
      return isAdded
        ? { effect: "new", text: "New operation." }
        : { effect: "breaks", text: "The operation is removed." };
    case "query":
      return ofInput(difference, `query parameter ${difference.member}`);
    case "request":
      return difference.kind === "value" ? ofRequestValue(difference) : ofInput(difference, difference.member);
    case "response":
      return ofResponse(difference);
  }
}

function ofInput({ kind, change, isRequired }: DescriptionDifference, subject: string): EffectOfRelease {
  if (kind === "required")
    return isRequired
      ? { effect: "breaks", text: `The request must have ${subject}.` }
      : { effect: "new", text: `The request may omit ${subject}.` };
  if (change === "removed") return { effect: "breaks", text: `The request has no ${subject} any more.` };
  return isRequired
    ? { effect: "breaks", text: `The request must have the new ${subject}.` }
    : { effect: "new", text: `The request may have ${subject}.` };
}

function ofRequestValue({ member, value, change }: DescriptionDifference): EffectOfRelease {
  return change === "added"
    ? { effect: "new", text: `The request may have ${value} as ${member}.` }
    : { effect: "breaks", text: `The request may not have ${value} as ${member} any more.` };
}

function ofResponse({ kind, member, value, change, isRequired }: DescriptionDifference): EffectOfRelease {
  if (kind === "value")
    return change === "added"
      ? { effect: "changes", text: `The response can have ${value} as ${member}.` }
      : { effect: "changes", text: `The response never has ${value} as ${member}.` };
  if (kind === "required")
    return isRequired
      ? { effect: "changes", text: `The response always has ${member}.` }
      : { effect: "breaks", text: `The response may lack ${member}.` };
  return change === "added"
    ? { effect: "new", text: `The response has ${member}.` }
    : { effect: "breaks", text: `The response has no ${member} any more.` };
}
