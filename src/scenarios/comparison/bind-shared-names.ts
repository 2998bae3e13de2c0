import { identifiersIn } from "../../foundation/spec/name-parts.ts";
import { percentDecoded } from "../../foundation/text/percent-decoded.ts";
import { isTimestamp } from "../../foundation/text/timestamp.ts";
import type { Correspondence } from "./correspondence.ts";

/** The target of a request as sent, and its body as text. */
interface RequestTexts {
  readonly target: string;
  readonly body: string;
}

/**
 * Binds each identifier and timestamp that both requests contain to itself: the client chose it, so it means the same on
 * both sides.
 */
export function bindSharedNames(left: RequestTexts, right: RequestTexts, correspondence: Correspondence): void {
  const [leftText, rightText] = [textOf(left), textOf(right)];
  const shared = new Set(identifiersIn(rightText));
  for (const name of identifiersIn(leftText)) if (shared.has(name)) correspondence.bindItself(name);
  for (const [, text = ""] of leftText.matchAll(/"([^"\\]*)"/g))
    if (isTimestamp(text) && rightText.includes(text)) correspondence.bindItself(text);
}

function textOf({ target, body }: RequestTexts): string {
  return `${percentDecoded(target)} ${body}`;
}
