/** A thread on a machine that has this public address, for it patches what all modules share: tells what it may reach. */
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { createPolicy, mayReach } from '../policy.ts'

const [nobody] = Object.values(os.networkInterfaces()).flatMap((list) => list ?? [])
if (nobody === undefined) throw new Error('every machine has an interface')
const [address, asked]: [string, string[]] = workerData
os.networkInterfaces = () => ({ eth0: [{ ...nobody, address }] })
syncBuiltinESMExports()

const target = { host: 'example.com', entries: [] }
parentPort?.postMessage(asked.map((one) => mayReach(target, one, createPolicy())))
