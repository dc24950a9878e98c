/** The variables that npm sets for the scripts that it runs: an installer inside of them would be misled. */
const misleading = /^(npm_config_(.*_)?prefix|npm_package_.*|npm_lifecycle_.*|NODE_ENV)$/i

export const installerEnvironment = (additions) => environmentWithout(misleading, additions)

export function environmentWithout(dropped, additions) {
  const kept = Object.entries(process.env).filter(([name]) => !dropped.test(name))
  return { ...Object.fromEntries(kept), ...additions }
}
