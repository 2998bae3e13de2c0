/** The text without percent-encoding; unchanged if an escape is not valid UTF-8 or not complete. */
export function percentDecoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
