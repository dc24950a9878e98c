import { callerNames, describeIsolation } from './testing/isolation.ts'

describeIsolation(callerNames)
