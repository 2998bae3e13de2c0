// A logger and a token provider for the published clients, which talk to the stub directly.

interface Silent {
  child(): Silent;
  debug(): void;
  info(): void;
  warn(): void;
  error(): void;
}

export const silent: Silent = {
  child: () => silent,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export const tokens: { getAccessToken(): Promise<string>; getAuthContext(): Promise<object> } = {
  getAccessToken: async () => "any",
  getAuthContext: async () => ({ userId: "any", accessToken: "any" }),
};
