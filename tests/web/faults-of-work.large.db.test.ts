import { befallEach } from './fault-rows.ts'

befallEach('work')
