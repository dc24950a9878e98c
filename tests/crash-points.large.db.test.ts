import { testBroken } from './crash/break-everywhere.ts'
import { farReachingNames } from './crash/operations.ts'

testBroken(farReachingNames)
