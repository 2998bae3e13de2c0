import { useRef, useState } from "preact/hooks";
import { controlApi } from "./control-api.ts";
import "./rule-link.css";

/** The id of a rule, a client rule or a known divergence: a button that shows its text below it. */
export function RuleLink({ id }: { readonly id: string }) {
  const [paragraphs, setParagraphs] = useState<readonly string[]>([]);
  const box = useRef<HTMLSpanElement>(null);
  const show = async ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    const { left, bottom } = currentTarget.getBoundingClientRect();
    setParagraphs(
      await controlApi.rule(id).then(
        (rule) => rule.paragraphs,
        (error: Error) => [error.message],
      ),
    );
    if (box.current === null) return;
    box.current.showPopover();
    const { offsetWidth, offsetHeight, style } = box.current;
    style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`;
    style.top = `${Math.max(8, Math.min(bottom + 4, innerHeight - offsetHeight - 8))}px`;
  };
  return (
    <>
      <button type="button" class="link code" aria-haspopup="dialog" onClick={show}>
        {id}
      </button>
      <span ref={box} class="rule-text" popover="auto" role="dialog" aria-label={`The text of ${id}`}>
        {paragraphs.map((text) => (
          <span key={text}>{text}</span>
        ))}
        <code>understudy explain {id}</code>
      </span>
    </>
  );
}
