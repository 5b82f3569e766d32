@main struct Parley { static func main() {} }
