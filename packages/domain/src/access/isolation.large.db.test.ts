import { callerNames, describeIsolation } from './testing/isolation.ts'

describeIsolation(callerNames.filter((name) => name !== 'of another workspace'))
