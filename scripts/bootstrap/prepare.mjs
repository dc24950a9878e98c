import { installationTurn, releaseClaims } from './claims.mjs'
import { installDependencies, installedBy } from './dependencies.mjs'
import { findNode, getNode } from './node.mjs'
import { fetchPackage, findPackage, removeAbandonedPackages } from './npm-packages.mjs'
import { getPnpm } from './pnpm.mjs'

/** Paths of Node and pnpm, with the dependencies installed, those for development if asked. A warm start only reads. */
export async function prepare(development) {
  const find = () => findPrepared(development)
  return find() ?? inTurn(async () => find() ?? installAll(development))
}

/** Path of the program of a package that one script alone needs. */
export async function prepareProgram(it) {
  return findPackage(it) ?? inTurn(() => fetchPackage(it.name, it))
}

function findPrepared(development) {
  const node = findNode()
  const pnpm = installedBy(development)
  return node !== undefined && pnpm !== undefined ? { node, pnpm } : undefined
}

async function installAll(development) {
  removeAbandonedPackages()
  const pnpmReady = getPnpm().then(
    async (pnpm) => (await installDependencies(pnpm, development), pnpm),
  )
  const [node, pnpm] = await Promise.all([getNode(), pnpmReady])
  return { node, pnpm }
}

/** One that fails keeps its turn until its children are stopped: the end of the process releases it. */
async function inTurn(work) {
  await installationTurn()
  const result = await work()
  releaseClaims()
  return result
}
