import { connectionsOf } from '@svc/db/database'
import type { Domain } from '../domain.ts'

/** The database connections of this process, and how many of its statements wait for one. */
export const ownConnections = ({ db }: Domain) => connectionsOf(db)
