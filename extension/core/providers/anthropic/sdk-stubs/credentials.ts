// Takes the place of the SDK's search for credentials in the built provider (see esbuild.mjs): profiles, files and tokens
// of other programs are none of ours. It is for a client without a key, and `client.ts` always has one.
const notAsked = (): never => {
  throw new Error('no key');
};

export { notAsked as defaultCredentials, notAsked as resolveCredentialsFromConfig, notAsked as TokenCache };
