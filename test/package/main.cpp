#include <iostream>

#include <core/error.h>
#include <core/version.h>

int main() {
  std::cout << grouser::version() << '\n'
            << to_string(grouser::Issue{.message = "linked", .field = "outside"}) << '\n';
}
