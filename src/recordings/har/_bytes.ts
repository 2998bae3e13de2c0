// What bytes of JSON stand for.
export const tab = 9;
export const lineFeed = 10;
export const carriageReturn = 13;
export const space = 32;
export const quote = 34;
export const comma = 44;
export const colon = 58;
export const openBracket = 91;
export const backslash = 92;
export const closeBracket = 93;
export const openBrace = 123;
export const closeBrace = 125;
