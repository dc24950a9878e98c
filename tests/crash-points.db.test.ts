import { testBroken } from './crash/break-everywhere.ts'

/** One of what a person, a runner and an agent call. */
testBroken(['claim'])
