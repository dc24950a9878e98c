import { operations } from '@svc/testing/operations'
import { asksForPermission } from './testing/asks-for-permission.ts'

asksForPermission(operations)
