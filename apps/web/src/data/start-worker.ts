/** As far as it is used here; the types of the browser do not have it yet. */
interface TrustedTypes {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ) => { createScriptURL: (address: string) => string }
}

/** Made once: the policy of the document allows one of that name. */
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

/** A worker of ours, by the address that the build has given it: nothing else becomes a script. */
export function startWorker(address: string): Worker {
  // where a browser does not know trusted types, its address is a text like any other
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  policy ??= (trustedTypes ?? { createPolicy: (_name, rules) => rules }).createPolicy('svc', {
    createScriptURL: ownScript,
  })
  return new Worker(policy.createScriptURL(address), { type: 'module' })
}

/** One of the files that the build has named. */
export function ownScript(address: string): string {
  if (/^\/assets\/\w[\w.-]*\.js$/.test(address)) return address
  throw new TypeError(`${address} is no script of this app.`)
}
