import { describeConnector } from './describe-connector.ts'

// the kind of client that the small dose leaves out
describeConnector('legacy')
describeConnector('modern')
