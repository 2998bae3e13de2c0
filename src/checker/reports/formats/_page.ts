import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { base64OfBytes } from "../../../foundation/text/base64.ts";
import { type Markup, markup } from "./_markup.ts";
import { pageStyle } from "./_page-style.ts";

/** A self-contained page without scripts or requests; its content security policy forbids both. */
export function htmlPage(title: string, header: Markup, sections: readonly Markup[]): string {
  const { text } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${{ text: pageStyle }}</style>
</head>
<body>
${header}
<main>
${sections}</main>
</body>
</html>
`;
  return text;
}

/** A policy that allows only the page's own style sheet, by its hash. */
function policy(): string {
  const hash = base64OfBytes(sha256(utf8ToBytes(pageStyle)));
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
}
