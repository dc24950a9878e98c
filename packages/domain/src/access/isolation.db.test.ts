import { describeIsolation } from './testing/isolation.ts'

describeIsolation(['of another workspace'])
