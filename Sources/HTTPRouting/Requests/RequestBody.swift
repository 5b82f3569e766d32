/// What a route's JSON body holds. Each is a struct that reads its members and says what it does not like.
package protocol RequestBody {
    init(reading object: inout ObjectReader)
}
