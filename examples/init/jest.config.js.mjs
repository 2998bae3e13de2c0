// Jest runs these tests as ES modules, which canton-understudy needs. They end in .understudy.mjs, so that the config
// of your other tests does not pick them up.
export default {
  testMatch: ["<rootDir>/*.understudy.mjs"],
  transform: {},
};
