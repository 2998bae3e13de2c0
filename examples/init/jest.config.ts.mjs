// Jest runs these tests as ES modules, which canton-understudy needs. They end in .understudy.mts, so that the config
// of your other tests does not pick them up.
export default {
  testMatch: ["<rootDir>/*.understudy.mts"],
  moduleFileExtensions: ["js", "mjs", "cjs", "ts", "mts", "json", "node"],
  extensionsToTreatAsEsm: [".ts", ".mts"],
  transform: { "\\.m?ts$": "<rootDir>/strip-types.mjs" },
};
