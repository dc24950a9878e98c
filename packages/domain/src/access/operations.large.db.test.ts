import { operations } from '../testing/operations.ts'
import { asksForPermission } from './testing/asks-for-permission.ts'

asksForPermission(operations)
