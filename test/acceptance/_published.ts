// A logger and a token provider as the published clients ask for them; nothing stands between client and stub.

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
